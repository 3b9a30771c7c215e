"""Strategies: which URL of the frontier is fetched next. Each stands in a file of its own name.

``base`` is the class they are built on. The simple ones lie here: ``best_first``, ``breadth_first``,
``random_order``, ``link_context``, ``shark_search``. The others lie with their families:

- ``adaptive/``: ``adaptive``, the default, which learns while it crawls
- ``cash/``: ``opic`` and ``otie``, which move cash along links
- ``graph/``: ``navigational_rank``, ``personalized_pagerank`` and ``hybrid``, which rank by links
- ``tunnelling/``: ``tunnelling``, which widens the topic where little is found
- ``trained/layers/``: ``context_graph``, ``layered`` and ``q_learning``, fitted on distances to targets
- ``trained/sequence/``: ``hmm``, ``memm`` and ``crf``, fitted on the paths that lead to targets
- ``trained/treasure/``: ``treasure``, fitted on the passages whose links lead to targets

``model_files`` saves and loads what the trained ones have been fitted to.
"""

from homing.registry import Registry
from homing.strategies.base import Strategy

STRATEGIES: Registry[Strategy] = Registry(
    "strategy",
    group="homing.strategies",
    builtin={
        "adaptive": "homing.strategies.adaptive.adaptive:Adaptive",
        "breadth-first": "homing.strategies.breadth_first:BreadthFirst",
        "random": "homing.strategies.random_order:RandomOrder",
        "best-first": "homing.strategies.best_first:BestFirst",
        "link-context": "homing.strategies.link_context:LinkContext",
        "shark-search": "homing.strategies.shark_search:SharkSearch",
        "opic": "homing.strategies.cash.opic:Opic",
        "otie": "homing.strategies.cash.otie:Otie",
        "hybrid": "homing.strategies.graph.hybrid:Hybrid",
        "tunnelling": "homing.strategies.tunnelling.tunnelling:Tunnelling",
        "navigational-rank": "homing.strategies.graph.navigational_rank:NavigationalRank",
        "personalized-pagerank": "homing.strategies.graph.personalized_pagerank:PersonalizedPageRank",
        "treasure": "homing.strategies.trained.treasure.treasure:Treasure",
        "q-learning": "homing.strategies.trained.layers.q_learning:QLearning",
        "context-graph": "homing.strategies.trained.layers.context_graph:ContextGraph",
        "layered": "homing.strategies.trained.layers.layered:Layered",
        "hmm": "homing.strategies.trained.sequence.hmm:Hmm",
        "memm": "homing.strategies.trained.sequence.memm:Memm",
        "crf": "homing.strategies.trained.sequence.crf:Crf",
    },
)
"""Every strategy by its short name, loaded on demand; one line here is all it takes to add one."""

__all__ = ["STRATEGIES", "Strategy"]


def __getattr__(name: str) -> type[Strategy]:
    """Load a strategy when its class is imported from here: ``from homing.strategies import Otie``."""
    return STRATEGIES.find_class(name)
