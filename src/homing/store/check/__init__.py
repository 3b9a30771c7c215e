"""Compare everything in a crawl folder with everything else: what is damaged, and where?

``finding``  what is said of each thing that is wrong
``catalog``  the rows of ``crawl.db`` among themselves
``archive``  every record of the WARC files with its row
``index``    the documents of the full-text index with the pages
``states``   the saved state of the strategy, the ranking, the inbox
``mending``  takes back what is damaged, so that it is fetched or built again

Each of them yields what it finds while it reads, and holds no more than a portion of the crawl. They only
read, also beside a running crawl, of which they see what is committed; ``mending`` alone writes.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from homing.errors import DamagedError
from homing.store.check.archive import check_archive
from homing.store.check.catalog import check_catalog
from homing.store.check.finding import Checked, Finding, Findings, Part
from homing.store.check.index import check_index
from homing.store.check.mending import Mended, mend_folder
from homing.store.check.states import check_states
from homing.store.folder import Layout

__all__ = ["Finding", "Findings", "Mended", "Part", "findings", "mend_folder"]


def findings(folder: Path, read: Counter[str]) -> Findings:
    """Yield what is wrong in a crawl folder.

    Parameters
    ----------
    read
        Counts what is looked at: ``urls``, ``visits``, ``records``, ``documents``.
    """
    try:
        with Checked(folder, read) as checked:
            with checked.at_one_moment():
                for check in (check_catalog, check_archive, check_states):
                    yield from check(checked)
            yield from check_index(checked)  # which follows the catalog as it is now
    except DamagedError as error:  # of the database itself: nothing else in it can be followed
        yield Finding(part="catalog", place=str(Layout(folder).database), problem=str(error))
