"""How values become columns of ``crawl.db``, and columns become values again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
import orjson
from numpy.typing import NDArray

from homing.model import Entry, Priority, Why

_SELECT_ENTRY = """
    SELECT key, url, u.tier, u.score, u.memo, u.why, depth, parent, anchor, u.kind, hops, tries,
        coalesce(etag, ''), coalesce(last_modified, ''), iif(v.kind = 'page', v.relevant, NULL)
    FROM urls u LEFT JOIN visits v ON v.id = u.visit WHERE u.seq = ?
"""
_SEQ = np.dtype("<u4")
_NUMPY = orjson.OPT_SERIALIZE_NUMPY


def select_entry(db: sqlite3.Connection, seq: int) -> Entry:
    """Return a known URL."""
    row = db.execute(_SELECT_ENTRY, (seq,)).fetchone()
    if row is None:
        raise KeyError(seq)
    (key, url, tier, score, memo, why, depth, parent, anchor, kind, hops, tries, etag, last_modified,
     relevant) = row  # fmt: skip
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
        validators=(etag, last_modified),
        relevant=None if relevant is None else bool(relevant),
    )


def write_why(why: Why) -> str | None:
    """Write the parts of a score as JSON."""
    return orjson.dumps(why, option=_NUMPY).decode() if why else None


def read_why(text: str | None) -> Why:
    """Read the parts of a score from JSON."""
    return tuple(map(tuple, orjson.loads(text))) if text else ()


def write_json(value: object) -> str:
    """Write any plain value, numpy's numbers among them, as JSON."""
    return orjson.dumps(value, option=_NUMPY).decode()


def pack_seqs(seqs: Sequence[int]) -> bytes:
    """Pack the links of a page in four bytes each."""
    return np.asarray(seqs, dtype=_SEQ).tobytes()


def unpack_seqs(packed: bytes) -> NDArray[np.int64]:
    """Unpack the links of one page, or of many whose arrays were joined."""
    return np.frombuffer(packed, dtype=_SEQ).astype(np.int64)


def storable(text: str) -> str:
    """Replace the lone surrogates that stand for bytes that were no UTF-8: SQLite takes none.

    >>> storable("caf\\udce9")
    'caf?'
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
