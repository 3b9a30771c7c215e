"""The full-text index of a crawl: fetched pages, to be found by their words.

``Search`` queries it, ``Writer`` fills it. It holds nothing that the catalog and the archive do not: it may
be deleted at any time and is rebuilt from them (``crawler/index/catch_up.py``).

A page's words are cut by ``text.terms`` in the page's own language, and so is a query, once for each language
that the index holds; the index itself never sees anything but blanks between terms.

``grammar`` parses a query and ``matching`` turns it into one of tantivy; ``snippets`` cuts out what matched.
``fields`` says what is held of a page; ``dates`` reads the dates of filters.
"""

from homing.store.index.dates import moment_of
from homing.store.index.fields import IndexedPage
from homing.store.index.matching import Filters
from homing.store.index.search import Hit, Results, Search, Sort
from homing.store.index.snippets import Part, marks_of
from homing.store.index.writer import Writer, held

__all__ = [
    "Filters",
    "Hit",
    "IndexedPage",
    "Part",
    "Results",
    "Search",
    "Sort",
    "Writer",
    "held",
    "marks_of",
    "moment_of",
]
