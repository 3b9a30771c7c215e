"""The one writer of an index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import tantivy

from homing.errors import StorageError
from homing.files import whole_file
from homing.store.index.fields import FORMAT, IndexedPage, document, make_schema
from homing.store.lock import Lock, is_held

_NOTE, _LOCK = "homing.json", "homing.lock"
_HEAP = 64_000_000
"""Bytes of pages that are collected before tantivy writes them out, committed or not."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """The file beside the index: ``homing.json``."""

    format: int
    visit: int
    """Number of the last visit that the index knows of."""


def held(folder: Path) -> int | None:
    """Return the last visit that an index has; ``None`` if there is none in this format."""
    try:
        note = msgspec.json.decode((folder / _NOTE).read_bytes(), type=Note)
    except (OSError, msgspec.DecodeError):
        return None
    return note.visit if note.format == FORMAT and tantivy.Index.exists(str(folder)) else None


def clear_away(folder: Path) -> None:
    """Remove an index, so that whoever writes it next builds it again. The lock stays behind, as ever."""
    for path in folder.iterdir():
        if path.name != _LOCK:
            path.unlink()


def is_being_written(folder: Path) -> bool:
    """Tell whether an index has a writer at this moment: it may not be whole yet."""
    return is_held(folder / _LOCK)


class Writer:
    """An index, open for writing. One that is damaged, or of another format, is rebuilt.

    ``homing.json`` is written after each commit. After a kill in between the index is a little ahead
    of it, and indexes the same pages again, which changes nothing.

    Parameters
    ----------
    folder
        Where the index lies.
    command
        What other processes are told that find it locked.
    """

    def __init__(self, folder: Path, *, command: str) -> None:
        self._folder = folder
        with self._translated_errors():
            folder.mkdir(exist_ok=True)
            self._lock = Lock(folder / _LOCK, command=command)
        try:
            self._open()
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> None:
        with self._translated_errors():
            known = held(self._folder)
            if known is None or not _is_whole(self._folder):
                clear_away(self._folder)
                known = None
            index = tantivy.Index(make_schema(), path=str(self._folder))
            # One thread: pages go in one after the other, and every further one would have a heap of its own.
            self._writer = index.writer(_HEAP, 1)
        if known is None:
            self._note(0)
        self.visit = known or 0
        """The last visit that the index holds, at the last commit."""

    def put(self, seq: int, kept: IndexedPage, anchors: list[str]) -> None:
        """Index a page, in place of what was indexed for that URL."""
        with self._translated_errors():
            self._writer.delete_documents_by_term("seq", seq)
            self._writer.add_document(document(seq, kept, anchors))

    def remove(self, seq: int) -> None:
        """Remove a page that is gone, or is not to be indexed."""
        with self._translated_errors():
            self._writer.delete_documents_by_term("seq", seq)

    def clear(self) -> None:
        """Remove all pages; searches see them until the next commit."""
        with self._translated_errors():
            self._writer.delete_all_documents()

    def commit(self, visit: int) -> None:
        """Make everything up to that visit searchable."""
        with self._translated_errors():
            self._writer.commit()
        self._note(visit)
        self.visit = visit

    def tidy(self) -> None:
        """Wait until the parts of the index are merged; nothing can be written any more."""
        with self._translated_errors():
            self._writer.wait_merging_threads()

    def close(self) -> None:
        """Release the index. What was not committed is dropped."""
        del self._writer  # tantivy's own lock goes with it
        self._lock.release()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, visit: int) -> None:
        with whole_file(self._folder / _NOTE) as file:
            file.write(msgspec.json.encode(Note(format=FORMAT, visit=visit)))

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(f"{self._folder} cannot be written: {error.strerror}") from error
        except ValueError as error:  # tantivy's errors
            reason = " ".join(str(error).split())[:200]
            raise StorageError(
                f"{self._folder} cannot be written ({reason}); delete it if it is damaged"
            ) from error


def _is_whole(folder: Path) -> bool:
    """Check that all of it can be opened, and has our fields."""
    try:
        index = tantivy.Index(make_schema(), path=str(folder))
        index.searcher()
    except ValueError:
        return False
    return True
