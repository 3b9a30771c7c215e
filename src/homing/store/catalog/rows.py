"""How values become columns of ``crawl.db``, and columns become values again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import orjson
from numpy.typing import NDArray

from homing.model import Entry, Priority, Why

SELECT_ENTRY = """
    SELECT seq, key, url, tier, score, memo, why, depth, parent, anchor, kind, hops, tries, standing, visit
    FROM urls WHERE seq = ?
"""
_SEQ = np.dtype("<u4")
_NUMPY = orjson.OPT_SERIALIZE_NUMPY


def select_entry(db: sqlite3.Connection, seq: int) -> Entry:
    """Return a known URL."""
    row = db.execute(SELECT_ENTRY, (seq,)).fetchone()
    if row is None:
        raise KeyError(seq)
    visit = row[-1]
    if visit is None:
        return entry_of(row)
    validators = db.execute("SELECT etag, last_modified FROM visits WHERE id = ?", (visit,))
    return entry_of(row, validators.fetchone())


def entry_of(columns: Sequence[Any], validators: tuple[str, str] = ("", "")) -> Entry:
    """Return the entry in a row of ``SELECT_ENTRY``."""
    seq, key, url, tier, score, memo, why, depth, parent, anchor, kind, hops, tries, *_ = columns
    return Entry(
        key=key,
        url=url,
        priority=Priority(tier=tier, score=score),
        memo=memo or b"",
        why=read_why(why),
        depth=depth,
        parent=parent,
        anchor=anchor,
        seq=seq,
        kind=kind,
        hops=hops,
        tries=tries,
        validators=validators,
    )


def write_why(why: Why) -> str | None:
    """Write the parts of a score as JSON."""
    return orjson.dumps(why, option=_NUMPY).decode() if why else None


def read_why(text: str | None) -> Why:
    """Read the parts of a score from JSON."""
    if not text:
        return ()
    parts = cast("list[tuple[str, float]]", orjson.loads(text))
    return tuple((name, value) for name, value in parts)


def write_json(value: object) -> str:
    """Write any plain value, numpy's numbers among them, as JSON."""
    return orjson.dumps(value, option=_NUMPY).decode()


def pack_seqs(seqs: Sequence[int]) -> bytes:
    """Pack the links of a page in four bytes each."""
    return np.asarray(seqs, dtype=_SEQ).tobytes()


def unpack_seqs(packed: bytes) -> NDArray[np.int64]:
    """Unpack the links of one page, or of many whose arrays were joined."""
    return np.frombuffer(packed, dtype=_SEQ).astype(np.int64)


def signed(bits: int) -> int:
    """Return a 64-bit number as SQLite can store it."""
    return bits - (1 << 64) if bits >= 1 << 63 else bits


def storable(text: str) -> str:
    """Replace the lone surrogates that stand for bytes that were no UTF-8: SQLite takes none.

    >>> storable("caf\\udce9")
    'caf?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
