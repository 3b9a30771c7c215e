"""Strategies: who says which URL is next. One file each."""

from homing.registry import Registry
from homing.strategies.adaptive import Adaptive
from homing.strategies.base import Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.context_graph import ContextGraph
from homing.strategies.crf import Crf
from homing.strategies.hmm import Hmm
from homing.strategies.hybrid import Hybrid
from homing.strategies.layered import Layered
from homing.strategies.link_context import LinkContext
from homing.strategies.memm import Memm
from homing.strategies.navigational_rank import NavigationalRank
from homing.strategies.opic import Opic
from homing.strategies.otie import Otie
from homing.strategies.personalized_pagerank import PersonalizedPageRank
from homing.strategies.q_learning import QLearning
from homing.strategies.random import RandomOrder
from homing.strategies.shark_search import SharkSearch
from homing.strategies.treasure import Treasure
from homing.strategies.tunnelling import Tunnelling

STRATEGIES: Registry[Strategy] = Registry(
    "strategy",
    group="homing.strategies",
    builtin=[
        Adaptive,
        BreadthFirst,
        RandomOrder,
        BestFirst,
        LinkContext,
        SharkSearch,
        Opic,
        Otie,
        Hybrid,
        Tunnelling,
        NavigationalRank,
        PersonalizedPageRank,
        Treasure,
        QLearning,
        ContextGraph,
        Layered,
        Hmm,
        Memm,
        Crf,
    ],
)
"""Every strategy by its short name; one line here is all it takes to add one."""

__all__ = [
    "STRATEGIES",
    "Adaptive",
    "BestFirst",
    "BreadthFirst",
    "ContextGraph",
    "Crf",
    "Hmm",
    "Hybrid",
    "Layered",
    "LinkContext",
    "Memm",
    "NavigationalRank",
    "Opic",
    "Otie",
    "PersonalizedPageRank",
    "QLearning",
    "RandomOrder",
    "SharkSearch",
    "Strategy",
    "Treasure",
    "Tunnelling",
]
