"""The battery that every ``ports.Store`` passes, port by port: ``visits``, ``graph``, ``resume``.

``durable`` is for stores on disk; ``little_crawl`` is what all of them write.

>>> from homing.store.memory import MemoryStore
>>> check_store(MemoryStore)
"""

from __future__ import annotations

from homing.checks.store import graph, resume, visits
from homing.checks.store.durable import Make, Reopen, check_durable

__all__ = ["Make", "Reopen", "check_store"]


def check_store(make: Make, reopen: Reopen | None = None) -> None:
    """Raise ``AssertionError`` at the first promise that a store does not keep.

    Parameters
    ----------
    make
        Creates an empty store, a new one at each call.
    reopen
        Closes a store and opens the same one again; ``None`` for a store that does not outlive its
        process.
    """
    for check in (*visits.CHECKS, *graph.CHECKS, *resume.CHECKS):
        store = make()
        try:
            check(store)
        finally:
            store.close()
    if reopen is not None:
        check_durable(make, reopen)
