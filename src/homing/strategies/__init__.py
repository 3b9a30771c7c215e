"""Strategies: who says which URL is next. One file each."""

from homing.registry import Registry
from homing.strategies.base import Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext
from homing.strategies.navigational_rank import NavigationalRank
from homing.strategies.personalized_pagerank import PersonalizedPageRank
from homing.strategies.random import RandomOrder

STRATEGIES: Registry[Strategy] = Registry(
    "strategy",
    group="homing.strategies",
    builtin=[
        BreadthFirst,
        RandomOrder,
        BestFirst,
        LinkContext,
        NavigationalRank,
        PersonalizedPageRank,
    ],
)
"""Every strategy by its short name; one line here is all it takes to add one."""

__all__ = [
    "STRATEGIES",
    "BestFirst",
    "BreadthFirst",
    "LinkContext",
    "NavigationalRank",
    "PersonalizedPageRank",
    "RandomOrder",
    "Strategy",
]
