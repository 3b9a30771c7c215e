"""Training data for strategies that learn how far a page is from a target."""

from homing.trails.graph import LocalGraph, Step, Trail

__all__ = ["LocalGraph", "Step", "Trail"]
