"""Training data of strategies that are fitted: local graphs, and trails through them.

Begin with ``graph``: ``LocalGraph`` knows the distance of each page to the nearest target, and draws trails.

- ``growth``: ``grow`` a local graph backwards from its targets.
- ``edges``: backlinks from a list of links, and browsing sessions, read from files.
"""

from homing.trails.edges import EdgeList, read_edges, read_sessions
from homing.trails.graph import LocalGraph, Step, Trail
from homing.trails.growth import grow

__all__ = ["EdgeList", "LocalGraph", "Step", "Trail", "grow", "read_edges", "read_sessions"]
