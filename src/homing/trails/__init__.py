"""Training data for strategies that learn how far a page is from a target."""

from homing.trails.edges import EdgeList, read_edges, read_sessions
from homing.trails.graph import LocalGraph, Step, Trail
from homing.trails.growth import grow

__all__ = ["EdgeList", "LocalGraph", "Step", "Trail", "grow", "read_edges", "read_sessions"]
