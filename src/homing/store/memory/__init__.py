"""A store without a disk, for the lab and for tests.

``tables`` holds the lists and tables; ``visit_store``, ``resume_store`` and ``graph_store`` are the three
ports over them, as in ``catalog/``. ``MemoryStore``, below, is all of them.
"""

from homing.store.memory.graph_store import MemoryGraph
from homing.store.memory.resume_store import MemoryResume
from homing.store.memory.tables import KeptVisit
from homing.store.memory.visit_store import MemoryVisits

__all__ = ["KeptVisit", "MemoryStore"]


class MemoryStore(MemoryVisits, MemoryResume, MemoryGraph):
    """Keeps a crawl in lists until the process ends: a ``ports.Store``, all three ports in one."""
