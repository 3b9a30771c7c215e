"""The records of WARC files of any producer, without the damaged ones.

FastWARC, which reads our own archive, stops at the first damage, and returns a truncated record without
notice. A recording of years ago cannot be repeated, so the records after the damage matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from homing.lab.archives.joined import Joined
from homing.lab.archives.unpacking import RECORD, Note

LINE_END = re.compile(r"\r\n?|\n")
"""Not every line break of Unicode, or a value could contain another field."""

_LONGEST_HEAD = 64 * 1024
_LONGEST_BLOCK = 32 * 1024 * 1024
"""Maximum bytes kept of a record; longer ones are mostly films."""
_LONGEST_LENGTH = 15
"""Maximum digits of the length of a record."""
_NEXT = b"\r\n\r\nWARC/1."
"""Start of a record within one that claims to be longer."""
_CUT_SHORT = "a record that is cut short was left out"


class WarcRecord(Struct, frozen=True, kw_only=True):
    """One record as stored in the file."""

    fields: Mapping[str, str]
    """Fields by name, in lower case."""
    block: bytes
    offset: int
    """Position in the file, in bytes."""
    is_whole: bool = True
    """Whether all of its block is there; of a long one, only the beginning is kept."""

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
        while text.resume():
            while (record := _next_record(text, note)) is not None:
                yield record


def _next_record(text: Joined, note: Note) -> WarcRecord | None:
    """Return the next whole record before the end, or before a damaged part."""
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
            # Its length is slightly wrong; the bytes in between are noted when the next record is searched
            # for.
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
    """Parse the fields of a record; skip lines that are none."""
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
