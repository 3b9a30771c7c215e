"""The catalog: everything a crawl knows, in one SQLite file, written by one connection.

All changes of a visit go into one open transaction. ``commit`` first writes the WARC records to the disk and
then closes the transaction, so that the catalog never points at a reply that is not there. After a kill the
catalog is as of the last commit, and the archive is cut back to it.
"""

from __future__ import annotations

from homing.store.catalog.graph_store import CatalogGraph
from homing.store.catalog.resume_store import CatalogResume
from homing.store.catalog.visit_store import CatalogVisits


class Catalog(CatalogVisits, CatalogResume, CatalogGraph):
    """A crawl on disk: a ``ports.Store``, all three ports in one. ``folder.open_catalog`` opens one.

    The engine calls it from one thread at a time. ``close`` drops what was not committed: half a visit must
    never be kept.
    """
