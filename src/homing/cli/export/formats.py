"""Export formats: JSON lines, CSV, Parquet, a list of URLs. All of them stream."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import BinaryIO, Protocol

import orjson

from homing.errors import UsageError

Record = dict[str, str | int | float | bool | None]

COLUMNS = {
    "url": "string",
    "final_url": "string",
    "status": "int16",
    "title": "string",
    "score": "float64",
    "relevant": "bool",
    "depth": "int32",
    "parent": "string",
    "anchor": "string",
    "strategy": "string",
    "tier": "int32",
    "priority": "float64",
    "fetched_at": "string",
    "language": "string",
    "digest": "string",
    "warc_file": "string",
    "warc_offset": "int64",
}
"""Columns of a record in order, with their Parquet types; ``text`` comes last if it is included."""

_FORMULA = re.compile(
    r"[\x00-\x1f\x7f-\x9f]|[\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*[=+\-@＝＋－＠]"
)
"""How a text begins that a spreadsheet may calculate (OWASP, CSV injection): with a control character, or
with a sign of a formula, which may be of full width, and stand behind blanks and characters not shown."""

PORTION = 500
"""Records per row group: with texts, some megabytes."""


class Writer(Protocol):
    """Writes records and returns their number."""

    def __call__(self, records: Iterable[Record], file: BinaryIO, *, with_text: bool) -> int: ...


def _columns(with_text: bool) -> dict[str, str]:
    return {**COLUMNS, "text": "string"} if with_text else COLUMNS


def write_jsonl(records: Iterable[Record], file: BinaryIO, *, with_text: bool) -> int:
    """Write one JSON object per line."""
    return _write_lines(records, file, lambda record: orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def write_urls(records: Iterable[Record], file: BinaryIO, *, with_text: bool) -> int:
    """Write one URL per line."""
    return _write_lines(records, file, lambda record: f"{record['url']}\n".encode())


def write_csv(records: Iterable[Record], file: BinaryIO, *, with_text: bool) -> int:
    """Write CSV as in RFC 4180: CRLF after each record, quotes around commas, quotes and line breaks.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    wrapper = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.DictWriter(wrapper, _columns(with_text))
        writer.writeheader()
        count = 0
        for record in records:
            cells = {name: _harmless(cell) for name, cell in record.items()}
            # Spreadsheets and other programs read true and false, but not Python's True and False.
            writer.writerow({**cells, "relevant": "true" if record["relevant"] else "false"})
            count += 1
        return count
    finally:
        wrapper.detach()


def _harmless(cell: str | float | None) -> str | float | None:
    r"""Return a cell that no spreadsheet calculates; numbers stay numbers, negative ones too.

    >>> _harmless("=1+1"), _harmless("\t@SUM(A1)"), _harmless("a = b"), _harmless(-0.5)
    ("'=1+1", "'\t@SUM(A1)", 'a = b', -0.5)
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def write_parquet(records: Iterable[Record], file: BinaryIO, *, with_text: bool) -> int:
    """Write compressed Parquet with Arrow, a row group every few hundred records."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError("parquet needs pyarrow: pip install homing[parquet]") from None
    named = [(name, pyarrow.type_for_alias(kind)) for name, kind in _columns(with_text).items()]
    schema = pyarrow.schema(named)
    count = 0
    with pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for portion in _portions(records):
            writer.write_table(pyarrow.Table.from_pylist(portion, schema=schema))
            count += len(portion)
    return count


WRITERS: dict[str, Writer] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "urls": write_urls,
}


def _write_lines(records: Iterable[Record], file: BinaryIO, line: Callable[[Record], bytes]) -> int:
    count = 0
    for record in records:
        file.write(line(record))
        count += 1
    return count


def _portions(records: Iterable[Record]) -> Iterator[list[Record]]:
    remaining = iter(records)
    while portion := list(islice(remaining, PORTION)):
        yield portion
