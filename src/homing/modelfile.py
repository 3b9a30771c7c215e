"""Model files: the state of a trained judge or a fitted strategy, as one JSON document.

    {"format": "homing-model", "version": 1, "kind": "judge", "name": "bayes", "homing": "0.1.0",
     "topic": "moths", "trained_on": {"positives": 30, ...}, "report": {"precision": ...},
     "state": {...}, "digest": "sha256:..."}

No part of it is ever executed. ``digest`` is over the canonical JSON of all the rest (keys sorted, no spaces,
ASCII), so that a truncated or changed file is detected.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import cast

from homing.bounded import TooLargeError, read_at_most
from homing.errors import ModelError
from homing.files import whole_file
from homing.model import State

FORMAT = "homing-model"
VERSION = 1
"""Incremented when readers of the previous version cannot read the file."""

LARGEST = 256 * 1024 * 1024
"""Bytes of a model file; parsed, they take some ten times as much memory. Ours have a few megabytes."""
_DIGITS = 20
"""Maximum digits of a number of 64 bits."""

Report = Mapping[str, object]
"""The figures of a cross-validation, as plain data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model file that was read and verified."""

    source: str
    """Its file, for messages."""
    kind: str
    """``judge`` or ``strategy``."""
    name: str
    """The short name of the judge or strategy."""
    homing: str
    """The version of Homing that wrote it."""
    topic: str
    """The topic it was trained for, in words; empty if the topic had none."""
    trained_on: Mapping[str, int]
    """Number of training pages by class."""
    report: Report | None
    """The cross-validation; ``None`` if there was none."""
    state: State
    content: bytes
    """The bytes of the file, for a copy."""


def write_model(
    path: Path,
    *,
    kind: str,
    name: str,
    topic: str,
    trained_on: Mapping[str, int],
    state: State,
    report: Report | None = None,
) -> None:
    """Write a model file, atomically."""
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "name": name,
        "homing": version("homing"),
        "topic": topic,
        "trained_on": trained_on,
        "report": report,
        "state": state,
    }
    # As a reader will get it: JSON turns tuples into lists and keys into strings, which sort differently.
    document = json.loads(json.dumps(document, allow_nan=False))
    document["digest"] = _digest(document)
    with whole_file(path) as file:
        file.write(json.dumps(document).encode() + b"\n")


def read_model(path: Path) -> Model:
    """Read and verify a model file."""
    try:
        content = read_at_most(path, LARGEST)
    except TooLargeError as error:
        raise ModelError(f"cannot read the model {path}: {error}; name the file of a model") from None
    except OSError as error:
        raise ModelError(f"cannot read the model {path}: {error.strerror}") from None
    return parse_model(content, str(path))


def parse_model(content: bytes, source: str) -> Model:
    """Verify the bytes of a model file; ``source`` is its name in error messages."""
    document = _document(content, source)
    newest = document.get("version")
    if not isinstance(newest, int) or newest < 1:
        raise ModelError(f"{source} is damaged: it has no version; create it again")
    if newest > VERSION:
        raise ModelError(
            f"{source} was written by a newer Homing (version {newest} of models, this one knows {VERSION});"
            " update Homing"
        )
    said = document.pop("digest", None)
    try:
        is_whole = said == _digest(document)
    except (ValueError, RecursionError):  # numbers that no JSON of ours has
        is_whole = False
    if not is_whole:
        raise ModelError(f"{source} is damaged: its digest does not fit; restore it or create it again")
    match document:
        case {
            "kind": str(kind),
            "name": str(name),
            "homing": str(homing),
            "topic": str(topic),
            "trained_on": dict(counts),
            "report": None | dict() as report,
            "state": dict(state),
        } if all(isinstance(count, int) for count in counts.values()):
            return Model(
                source=source,
                kind=kind,
                name=name,
                homing=homing,
                topic=topic,
                trained_on=counts,
                report=report,
                state=state,
                content=content,
            )
        case _:
            raise ModelError(f"{source} is damaged: something is missing from it; create it again")


def _document(content: bytes, source: str) -> dict[str, object]:
    """Return the JSON object in a model file."""
    try:
        document = json.loads(content, parse_int=_whole)
    except (ValueError, RecursionError):
        # Model files begin like this, so that a truncated one is reported as damaged, not as another kind of
        # file.
        if content.lstrip().startswith(f'{{"format": "{FORMAT}"'.encode()):
            raise ModelError(f"{source} is damaged: it is cut short, or was changed") from None
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelError(f"{source} is no model of Homing's; make one with homing train or homing fit")
    return cast("dict[str, object]", document)


def _whole(digits: str) -> int:
    """Parse a whole number of at most 64 bits, as all of ours are. numpy cannot hold larger ones."""
    if len(digits) > _DIGITS:
        raise ValueError("a number is too long")
    return int(digits)


def _digest(document: Mapping[str, object]) -> str:
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
