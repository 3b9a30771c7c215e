"""The documents of an index one by one, to compare them with the catalog."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import tantivy

from homing.errors import DamagedError
from homing.store.index.fields import IndexedPage, make_schema, page_of


class Documents:
    """The index of a crawl as it was last committed; it need not be writable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._schema = make_schema()
        with ExitStack() as undo:
            try:
                self._searcher = tantivy.Index(self._schema, path=str(_writable(folder, undo))).searcher()
            except ValueError as error:
                raise self._damaged(error) from error
            self._undo = undo.pop_all()
        self.count = self._searcher.num_docs

    def __enter__(self) -> Documents:
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def of(self, seq: int) -> IndexedPage | None:
        """Return the page with that number, if it is indexed."""
        try:
            found = self._searcher.search(tantivy.Query.term_query(self._schema, "seq", seq), 1, count=False)
            return page_of(self._searcher.doc(found.hits[0][1])) if found.hits else None
        except ValueError as error:
            raise self._damaged(error) from error

    def _damaged(self, error: ValueError) -> DamagedError:
        return DamagedError(f"{self._folder} cannot be read ({' '.join(str(error).split())[:200]})")


def _writable(folder: Path, undo: ExitStack) -> Path:
    """Return a folder with the same files in which tantivy can lay its lock, which it needs even to read."""
    if os.access(folder, os.W_OK):
        return folder
    beside = Path(undo.enter_context(TemporaryDirectory()))
    for path in folder.iterdir():
        if not path.name.endswith(".lock"):
            (beside / path.name).symlink_to(path.absolute())
    return beside
