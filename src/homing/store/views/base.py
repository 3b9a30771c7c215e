"""A crawl folder, open for reading: what every view of a crawl works with.

A reader never writes. It works on a finished crawl and beside one that runs, where it sees what is
committed. Long answers are read in portions, each a short look at the database, so that the writer's
log can be folded away meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import orjson

from homing.errors import FolderError
from homing.store.catalog import schema
from homing.store.catalog.database import PATIENCE, ErrorTranslator, open_for_reading
from homing.store.folder import Layout

PORTION = 500
"""Rows that are read at a time."""


class ReaderBase:
    """A reader's connection. One thread at a time may use it.

    Parameters
    ----------
    folder
        The crawl folder.
    patience
        Seconds to wait for another program that has the database locked.
    """

    def __init__(self, folder: Path, *, patience: float = PATIENCE) -> None:
        self._layout = Layout(folder)
        path = self._layout.database
        if not path.is_file():
            raise FolderError(f"{folder} holds no crawl; name the folder that `homing crawl` wrote to")
        self._errors = ErrorTranslator(path)
        with self._errors:
            schema.recognise(path)
            self._db = open_for_reading(path, patience=patience)
            try:
                self._refuse_other_versions(path)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def facts(self) -> dict[str, object]:
        """Return everything that was noted about the crawl."""
        with self._errors:
            return self._facts()

    def _refuse_other_versions(self, path: Path) -> None:
        version = schema.version_of(self._db, path, schema.VERSION)
        if version < schema.VERSION:
            raise FolderError(f"{path} was written by an older Homing; resume the crawl once to migrate it")

    def _facts(self) -> dict[str, object]:
        rows = self._db.execute("SELECT name, value FROM facts ORDER BY name")
        return {name: orjson.loads(value) for name, value in rows}

    def _strategy(self) -> str:
        return str(self.facts().get("strategy", ""))

    def _portions(self, query: str) -> Iterator[list[Any]]:
        """Yield rows after the number of the last one, whatever the query, until there are none."""
        last = -1
        while True:
            with self._errors:
                rows = self._db.execute(query, (last, PORTION)).fetchall()
            if not rows:
                return
            yield rows
            last = rows[-1][0]
