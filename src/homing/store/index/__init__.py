"""The full-text index of a crawl: fetched pages, to be found by their words. Begin with ``search``.

``search``    ``Search`` queries the index: by words, by similarity, by URL
``writer``    ``Writer`` fills it
``fields``    what it holds of a page
``documents`` returns them one by one, to compare them with the catalog
``grammar``   parses a query
``matching``  turns a parsed query into one of tantivy's
``snippets``  cuts out what matched
``dates``     reads the dates of filters

The index holds nothing that the catalog and the archive do not: it may be deleted at any time and is
rebuilt from them (``crawler/index/catch_up.py``). A page's words are cut by ``text.words.terms`` in the
page's own language, and so is a query, once for each language in the index; the index itself only sees terms
between blanks.
"""

from homing.store.index.dates import moment_of
from homing.store.index.documents import Documents
from homing.store.index.fields import IndexedPage
from homing.store.index.matching import Filters
from homing.store.index.search import Hit, Results, Search, Sort
from homing.store.index.snippets import Part, marks_of
from homing.store.index.writer import Writer, clear_away, held, is_being_written

__all__ = [
    "Documents",
    "Filters",
    "Hit",
    "IndexedPage",
    "Part",
    "Results",
    "Search",
    "Sort",
    "Writer",
    "clear_away",
    "held",
    "is_being_written",
    "marks_of",
    "moment_of",
]
