"""The unpacked pieces of a file as one stream."""

from __future__ import annotations

from collections import deque
from typing import BinaryIO

from homing.lab.archives.unpacking import RECORD, Note, Piece, pieces

_BLANK = b"\r\n\t \x00"
"""Bytes between records that mean nothing."""


class Joined:
    """Pieces as one run of bytes, up to the next damaged part."""

    def __init__(self, file: BinaryIO, note: Note) -> None:
        self.is_damaged = False
        """Whether the following bytes could not be unpacked, which was then noted."""
        self._note = note
        self._pieces = pieces(file, self._note_damage)
        self._ahead = next(self._pieces, None)
        self._data = bytearray()
        self._taken = 0
        self._marks: deque[tuple[int, Piece]] = deque()
        """Start of each piece, counted in bytes taken, with the piece without its data."""

    @property
    def place(self) -> int:
        """Current position in the file."""
        while len(self._marks) > 1 and self._marks[1][0] <= self._taken:
            self._marks.popleft()
        if not self._marks:
            return 0
        begin, piece = self._marks[0]
        return piece.place(self._taken - begin)

    def resume(self) -> bool:
        """Continue after the damaged part that ended the run; return ``False`` at the end of the file."""
        if self._ahead is None:
            return False
        self._data.clear()
        self.is_damaged = False
        self._append(self._ahead)
        return True

    def starts_with(self, prefix: bytes) -> bool:
        return self._has(len(prefix)) and self._data.startswith(prefix)

    def is_record_next(self) -> bool:
        """Return whether a record, or nothing at all, begins here."""
        blanks = 0
        while self._has(blanks + 1) and self._data[blanks] in _BLANK:
            blanks += 1
        return not self._has(blanks + 1) or (
            self._has(blanks + len(RECORD)) and self._data.startswith(RECORD, blanks)
        )

    def take(self, count: int) -> bytes:
        """Read ``count`` bytes, or all that are left."""
        self._has(count)
        taken = bytes(self._data[:count])
        self._drop(len(taken))
        return taken

    def take_head(self, limit: int) -> bytes | None:
        """Read up to and including an empty line; one word if there is none within the limit.

        ``None`` if the run ends before.
        """
        searched = 0
        while searched <= limit:
            start = max(searched - 3, 0)
            end = self._data.find(b"\r\n\r\n", start, limit)
            bare = self._data.find(b"\n\n", start, end if end >= 0 else limit)
            if bare >= 0 or end >= 0:
                head = self.take(bare if bare >= 0 else end)
                self._drop(2 if bare >= 0 else 4)
                return head
            searched = len(self._data)
            if searched <= limit and not self._more():
                return None
        return self.take(len(RECORD))

    def skip(self, count: int) -> int:
        """Skip ``count`` bytes; return how many there were."""
        left = count
        while left:
            passed = min(left, len(self._data))
            self._drop(passed)
            left -= passed
            if left and not self._more():
                break
        return count - left

    def skip_blanks(self) -> None:
        while self._has(1) and self._data[0] in _BLANK:
            blank = len(self._data) - len(self._data.lstrip(_BLANK))
            self._drop(blank)

    def skip_to(self, wanted: bytes) -> int:
        """Skip to these bytes, or to the end; return the number of bytes skipped."""
        passed = 0
        while (found := self._data.find(wanted)) < 0:
            tail = min(len(wanted) - 1, len(self._data))
            passed += len(self._data) - tail
            self._drop(len(self._data) - tail)
            if not self._more():
                passed += len(self._data)
                self._drop(len(self._data))
                return passed
        self._drop(found)
        return passed + found

    def put_back(self, data: bytes) -> None:
        self._data[:0] = data
        self._taken -= len(data)

    def _has(self, count: int) -> bool:
        while len(self._data) < count:
            if not self._more():
                return False
        return True

    def _more(self) -> bool:
        if self._ahead is None or not self._ahead.joined:
            return False
        self._append(self._ahead)
        return True

    def _append(self, piece: Piece) -> None:
        self._marks.append((self._taken + len(self._data), piece._replace(data=b"")))
        self._data += piece.data
        self._ahead = next(self._pieces, None)

    def _note_damage(self, place: int, what: str) -> None:
        self.is_damaged = True
        self._note(place, what)

    def _drop(self, count: int) -> None:
        del self._data[:count]
        self._taken += count
