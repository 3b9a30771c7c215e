"""The records of WARC files of any producer, the damaged ones left out.

FastWARC, which reads our own archive, ends at the first damage, and hands out a record that is cut short
without a word. A recording made years ago cannot be made again, so what lies behind the damage counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from homing.lab.archives.joined import Joined
from homing.lab.archives.unpacking import RECORD, Note

LINE_END = re.compile(r"\r\n?|\n")
"""Not all that Unicode breaks lines at, or a value could hold another field."""

_LONGEST_HEAD = 64 * 1024
_LONGEST_BLOCK = 32 * 1024 * 1024
"""Of longer records, films for the most part, only the beginning is kept."""
_LONGEST_LENGTH = 15
"""Digits that the length of a record may have."""
_NEXT = b"\r\n\r\nWARC/1."
"""How a record begins where the one before it says that it is longer than that."""
_CUT_SHORT = "a record that is cut short was left out"


class WarcRecord(Struct, frozen=True, kw_only=True):
    """One record as it lies in the file."""

    fields: Mapping[str, str]
    """By name, in lower case."""
    block: bytes
    offset: int
    """Where in the file it begins, in bytes."""
    is_whole: bool = True
    """Is all of its block there, rather than as much as we keep?"""

    def __getitem__(self, name: str) -> str:
        """Return the field of that name in lower case, or an empty string."""
        return self.fields.get(name, "")

    @property
    def kind(self) -> str:
        """``response``, ``request``, ``revisit`` ..."""
        return self["warc-type"].lower()

    @property
    def url(self) -> str:
        """The requested URL; some producers put it in angle brackets."""
        return self["warc-target-uri"].removeprefix("<").removesuffix(">")


def read_warc(path: Path, note: Note) -> Iterator[WarcRecord]:
    """Yield the readable records of a file in order; note what is wrong."""
    with path.open("rb") as file:
        text = Joined(file, note)
        while text.go_on():
            while (record := _next_record(text, note)) is not None:
                yield record


def _next_record(text: Joined, note: Note) -> WarcRecord | None:
    """Return the next whole record before the end, or before a damage."""
    while _skip_to_record(text, note):
        offset = text.place
        head = text.take_head(_LONGEST_HEAD)
        if head is None:
            if not text.is_damaged:
                note(offset, _CUT_SHORT)
            return None
        fields = _fields(head)
        length = fields.get("content-length", "")
        # No file is as long as a number of 16 digits says, and Python refuses to read one of thousands.
        if not length.isdecimal() or len(length) > _LONGEST_LENGTH:
            note(offset, "a record that does not say how long it is was left out")
            continue
        block = text.take(min(int(length), _LONGEST_BLOCK))
        beyond = int(length) - len(block)
        if len(block) == _LONGEST_BLOCK and beyond:
            beyond -= text.skip(beyond)
            if not beyond:
                return WarcRecord(fields=fields, block=block, offset=offset, is_whole=False)
        if not beyond and text.is_record_next():
            return WarcRecord(fields=fields, block=block, offset=offset)
        swallowed = block.find(_NEXT)
        if swallowed >= 0:
            text.put_back(block[swallowed:])
        elif not beyond:
            # Its length is wrong by a little; what it leaves behind is noted when the next one is looked for.
            return WarcRecord(fields=fields, block=block, offset=offset)
        if swallowed >= 0 or not text.is_damaged:
            note(offset, _CUT_SHORT)
    return None


def _skip_to_record(text: Joined, note: Note) -> bool:
    """Skip to where a record begins; return ``False`` if none does."""
    text.skip_blanks()
    place, skipped = text.place, 0
    while not text.starts_with(RECORD):
        passed = text.skip_to(b"\n" + RECORD)
        skipped += passed
        if not passed:
            break
        text.skip_blanks()
    if skipped:
        note(place, f"{skipped:,} bytes that belong to no record were left out")
    return text.starts_with(RECORD)


def _fields(head: bytes) -> dict[str, str]:
    """Parse the fields of a record, as far as they are any."""
    fields: dict[str, str] = {}
    name = ""
    for line in LINE_END.split(head.decode("utf-8", "replace"))[1:]:
        if line[:1] in (" ", "\t") and name:
            fields[name] += f" {line.strip()}"
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower() if colon else ""
        if name:
            fields.setdefault(name, value.strip())
    return fields
