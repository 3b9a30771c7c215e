"""Which URL is next: order in memory, truth on disk (the store has the URLs' text)."""

from homing.frontier.order import Changes, Frontier, Lease

__all__ = ["Changes", "Frontier", "Lease"]
