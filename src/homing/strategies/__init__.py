"""Strategies: who says which URL is next. One file each."""

from homing.registry import Registry
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.base import Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.cash.opic import Opic
from homing.strategies.cash.otie import Otie
from homing.strategies.graph.hybrid import Hybrid
from homing.strategies.graph.navigational_rank import NavigationalRank
from homing.strategies.graph.personalized_pagerank import PersonalizedPageRank
from homing.strategies.link_context import LinkContext
from homing.strategies.random_order import RandomOrder
from homing.strategies.shark_search import SharkSearch
from homing.strategies.trained.layers.context_graph import ContextGraph
from homing.strategies.trained.layers.layered import Layered
from homing.strategies.trained.layers.q_learning import QLearning
from homing.strategies.trained.sequence.crf import Crf
from homing.strategies.trained.sequence.hmm import Hmm
from homing.strategies.trained.sequence.memm import Memm
from homing.strategies.trained.treasure.treasure import Treasure
from homing.strategies.tunnelling.tunnelling import Tunnelling

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
