"""A taxonomy: subjects with a decimal number, a label and terms.

The number says where a subject belongs: 595 is part of 59, which is part of 5. Dots are only for the reader
(004.67 is 00467), so any such table can be used, of any depth: the user's own, one like Dewey's, or one like
the UDC, whose symbols (``2-13``, ``630*2``) are further characters of the number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

from homing.bounded import TooLargeError, text_at_most
from homing.errors import UsageError
from homing.files import whole_file
from homing.taxonomy.table_reader import read_rows

_CODE = re.compile(r"\d[\d.]*(?:[-`'*][\d.]+)*")
_SEPARATOR = "; "
LARGEST = 64 * 1024 * 1024
"""Bytes of a table: several times those of the whole UDC, of 70,000 classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One class of a taxonomy."""

    code: str
    """Its number as people write it, such as ``004.67``."""
    label: str
    terms: tuple[str, ...]
    """Words and phrases for it."""

    @property
    def key(self) -> str:
        """The number without its dots: a subject's key begins with the keys it is part of."""
        return key_of(self.code)


class Taxonomy:
    """Subjects in the order of their numbers.

    Parameters
    ----------
    subjects
        In any order; no number twice.
    name
        Name of the taxonomy in error messages.

    Examples
    --------
    >>> animals = Subject(code="59", label="Animals", terms=("animal", "zoology"))
    >>> insects = Subject(code="59.5", label="Insects", terms=("insect", "butterfly"))
    >>> taxonomy = Taxonomy([animals, insects])
    >>> taxonomy.keys(["59.5", "5"])
    ('595', '5')
    >>> taxonomy.label("5957")
    'Insects'
    >>> taxonomy.keys(["59.8"])
    Traceback (most recent call last):
    homing.errors.UsageError: the taxonomy has no code "59.8"; the nearest is 59 (Animals)
    """

    def __init__(self, subjects: Iterable[Subject], *, name: str = "the taxonomy") -> None:
        self.name = name
        self.subjects = tuple(sorted(subjects, key=lambda subject: subject.key))
        self._by_key = {subject.key: subject for subject in self.subjects}
        if not self.subjects:
            raise UsageError(f"{name} is empty: it needs a line for each subject")
        if len(self._by_key) < len(self.subjects):
            raise ValueError("a number occurs twice")
        self._regions = frozenset(
            subject.key[:end] for subject in self.subjects for end in range(1, len(subject.key) + 1)
        )

    def __len__(self) -> int:
        return len(self.subjects)

    def get(self, code: str) -> Subject | None:
        """Return the subject of that number, if the table has a line for it."""
        return self._by_key.get(key_of(code))

    def label(self, code: str) -> str:
        """Return the label of the number, or of the smallest subject it is part of."""
        key = key_of(code)
        known = (self._by_key[key[:end]] for end in range(len(key), 0, -1) if key[:end] in self._by_key)
        return next((subject.label for subject in known), "")

    def describe(self, code: str) -> str:
        """Return the number with its label, such as ``59.5 (Insects)``."""
        label = self.label(code)
        return f"{self.written(code)} ({label})" if label else self.written(code)

    def written(self, code: str) -> str:
        """Return the number as the table writes it, with its dots."""
        subject = self.get(code)
        return subject.code if subject else code

    def keys(self, codes: Iterable[str]) -> tuple[str, ...]:
        """Return the keys of a user's numbers; these need not have a line, only subjects below."""
        return tuple(dict.fromkeys(self._key(code.strip()) for code in codes))

    def _key(self, code: str) -> str:
        key = key_of(code)
        if key in self._regions:
            return key
        if not _CODE.fullmatch(code):
            raise UsageError(f'"{code}" is no code of a taxonomy: codes are numbers such as 59 or 004.67')
        nearest = max(self.subjects, key=lambda subject: _closeness(subject.key, key))
        raise UsageError(f'{self.name} has no code "{code}"; the nearest is {self.describe(nearest.code)}')

    def save(self, path: Path) -> None:
        """Write the table as CSV, atomically."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("code", "label", "terms"))
        writer.writerows((each.code, each.label, _SEPARATOR.join(each.terms)) for each in self.subjects)
        with whole_file(path) as file:
            file.write(out.getvalue().encode())


def load(path: str | Path) -> Taxonomy:
    """Load a taxonomy from a CSV or TSV file with the columns code, label and terms.

    ``terms`` are separated by ``;`` or ``|``. Without that column the labels themselves are the terms; a
    column ``term`` instead has one term a line, and a code as many lines as it has terms. If there is a
    column ``parent``, it must agree with the numbers.
    """
    path = Path(path)
    try:
        text = text_at_most(path, LARGEST)
    except TooLargeError as error:
        raise UsageError(f"the taxonomy {path} cannot be read: {error}; name a table of subjects") from None
    except OSError as error:
        raise UsageError(f"the taxonomy {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the taxonomy {path} is no text in UTF-8") from error
    return _taxonomy(text, f"the taxonomy {path}")


@lru_cache(maxsize=1)
def starter() -> Taxonomy:
    """Load the taxonomy that comes with Homing: ten classes and a hundred divisions, in our own words."""
    text = (files("homing.taxonomy") / "starter.csv").read_text(encoding="utf-8")
    return _taxonomy(text, "the built-in taxonomy")


def key_of(code: str) -> str:
    """Return a number without its dots.

    >>> key_of("004.67")
    '00467'
    """
    return code.replace(".", "")


# --- from lines to subjects -----------------------------------------------------------------------


def _taxonomy(text: str, name: str) -> Taxonomy:
    """Build a taxonomy from the lines of a table, each checked against the others."""
    rows = read_rows(text, name)
    subjects: dict[str, Subject] = {}
    written: dict[str, int] = {}
    parents: dict[str, str] = {}
    for row in rows:
        where = f"{name}, line {row.line}"
        code = _without_span(row.code)
        if not _CODE.fullmatch(code):
            raise UsageError(f'{where}: "{row.code}" is no code; codes are numbers such as 59 or 004.67')
        if row.code in written and not row.adds:
            raise UsageError(f'{where}: the code "{row.code}" is already in line {written[row.code]}')
        written.setdefault(row.code, row.line)
        if row.parent:
            parents[row.code] = row.parent
        # 78.06 and 780.6 are one place, as are 21/29 and 2: their terms come together there.
        old = subjects.get(key_of(code))
        subjects[key_of(code)] = Subject(
            code=old.code if old else code,
            label=(old.label if old else "") or row.label,
            terms=tuple(dict.fromkeys((*(old.terms if old else ()), *row.terms))),
        )
    _check_parents(parents, written, name)
    return Taxonomy(subjects.values(), name=name)


def _without_span(code: str) -> str:
    """Return the number that the members of a span have in common; other numbers unchanged.

    >>> _without_span("113/119"), _without_span("341.1/.8"), _without_span("59.5")
    ('11', '341', '59.5')
    """
    first, _, last = code.partition("/")
    if not last:
        return code
    # ``341.1/.8``: the end of a span may leave out what it shares with its beginning.
    whole = last if last[0].isdigit() else first[: first.rfind(last[0])] + last
    shared = "".join(
        a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, whole, strict=False))
    )
    return shared.rstrip(".-`'*") or code


def _check_parents(parents: dict[str, str], written: dict[str, int], name: str) -> None:
    """Raise unless every parent is there, is no descendant of its own, and begins the number."""
    for code, parent in parents.items():
        if parent not in written:
            raise UsageError(f'{name}, line {written[code]}: there is no code "{parent}" to be the parent')
        way = [code]
        while (above := parents.get(way[-1])) and above not in way:
            way.append(above)
        if above:
            circle = " → ".join((*way[way.index(above) :], above))
            raise UsageError(f"{name}, line {written[code]}: parents go in a circle: {circle}")
        if not key_of(code).startswith(key_of(parent)):
            raise UsageError(f"{name}, line {written[code]}: {code} does not begin with its parent {parent}")


def _closeness(one: str, other: str) -> tuple[int, int]:
    """Return how near two numbers are: by their common prefix, then by the first digit that differs."""
    pairs: Sequence[tuple[str, str]] = list(zip(one, other, strict=False))
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    apart = abs(ord(pairs[shared][0]) - ord(pairs[shared][1])) if shared < len(pairs) else 0
    return shared, -apart
