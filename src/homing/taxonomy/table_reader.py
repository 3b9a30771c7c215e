"""Read the rows of a taxonomy's table, under any of the common names of columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from homing.errors import UsageError, did_you_mean

_CODE_COLUMNS = ("code", "number", "notation")
_LABEL_COLUMNS = ("label", "caption", "name", "title")
_DELIMITERS = "\t,;"
_TERMS = re.compile(r"[;|]")
_LABEL_PARTS = re.compile(r"[;,&/()\[\]:]|\.(?=\s|$)|\b(?:and|i\.e|e\.g)\b", re.IGNORECASE)
"""Separators of the subjects in a label: ``Economics & trade``, ``Fish, fisheries and anglers``."""
_RULE = re.compile(r"[\W_]+")
"""A line whose code is ``----`` is a visual separator."""


class Row(NamedTuple):
    """One line of the table."""

    line: int
    code: str
    label: str
    terms: tuple[str, ...]
    parent: str
    adds: bool
    """Whether this is one term of several lines with the same code."""


def read_rows(text: str, name: str) -> Iterator[Row]:
    """Yield the rows below the header; without codes, or with neither labels nor terms, it is an error."""
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    lines = io.StringIO(text)
    if delimiter == "\t":  # where a quote is just a quote
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = [column.strip().lower() for column in next(reader, [])]
        if not any(header):
            raise UsageError(f"{name} is empty: it needs the columns code, label, terms")
        columns = _Columns(header, name)
        for fields in reader:
            code = columns.field(fields, columns.code)
            if code and not _RULE.fullmatch(code):
                yield columns.row(reader.line_num, code, fields)
            elif any(field.strip() for field in fields) and not code:
                raise UsageError(f"{name}, line {reader.line_num}: the code is missing")
    except csv.Error as error:
        raise UsageError(f"{name}, line {reader.line_num}: {error}") from error


class _Columns:
    """The positions of the columns."""

    def __init__(self, header: list[str], name: str) -> None:
        self.code = _place(header, _CODE_COLUMNS)
        self.label = _place(header, _LABEL_COLUMNS)
        self.terms = _place(header, ("terms",))
        self.term = _place(header, ("term",))
        self.parent = _place(header, ("parent",))
        if self.code is None:
            raise UsageError(f'{name} has no column "code"{did_you_mean("code", header)}')
        if self.label is None and self.terms is None and self.term is None:
            raise UsageError(
                f'{name} has neither a column "label" nor "terms"{did_you_mean("label", header)}'
            )

    @staticmethod
    def field(fields: Sequence[str], place: int | None) -> str:
        return fields[place].strip() if place is not None and place < len(fields) else ""

    def row(self, line: int, code: str, fields: Sequence[str]) -> Row:
        label = self.field(fields, self.label)
        term = self.field(fields, self.term)
        said = [term] if term else _split(_TERMS, self.field(fields, self.terms))
        # A label is a term as it stands; where it is all there is, each of its parts has to be one.
        terms = (*said, label) if said else _split(_LABEL_PARTS, label)
        return Row(
            line=line,
            code=code,
            label=label,
            terms=tuple(dict.fromkeys(filter(None, terms))),
            parent=self.field(fields, self.parent),
            adds=self.term is not None,
        )


def _place(header: list[str], names: Sequence[str]) -> int | None:
    return next((header.index(each) for each in names if each in header), None)


def _split(separator: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(part for each in separator.split(text) if (part := each.strip()))
