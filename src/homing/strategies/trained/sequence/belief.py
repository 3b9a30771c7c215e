"""Beliefs: how likely a page is how many links away from a target.

A belief is five chances that add up to one: the page is a target (T0), leads to one (T1), to a page that
does (T2), and so on; T4 is "four links or more". hmm, memm and crf all pass one along each path of the
crawl: in the memo of a URL travels what was believed of the page it was found on.

A path begins in no state at all. So the state a step comes *from* is one of six, the last of them ``START``.
"""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from homing.model import Why

Floats = NDArray[np.float64]
Decode = Literal["marginal", "viterbi"]

STATES = 5
START = STATES
FROM = STATES + 1
"""How many states a step may come from."""

ALLOWED: NDArray[np.bool_] = np.array(
    [[i == START or j >= i - 1 for j in range(STATES)] for i in range(FROM)]
)
"""From which state a link may lead to which: it brings a target nearer by one link at most."""

_EQUAL = 0.001
"""Chances that differ by less are the same (the paper's epsilon)."""
_BASE = round(1 / _EQUAL) + 1
_KEYS = _BASE**STATES
_NAMES = ("target", "1 away", "2 away", "3 away", "4 or more away")
_PACKED = np.dtype("<u2")
_WHOLE = np.iinfo(_PACKED).max
_MEMO = (STATES + 1) * _PACKED.itemsize


class Beliefs(Struct, frozen=True):
    """What is believed of the pages behind the links of a page, in their order."""

    scores: list[float]
    beliefs: Floats
    memos: list[bytes]

    @classmethod
    def of_links(
        cls, links: Floats, *, page: Floats, ratings: Floats, ranked_by: Floats | None = None
    ) -> Self:
        """Rank links by the beliefs of their pages; their memos keep the belief of the page they stand on."""
        scores = keys(links if ranked_by is None else ranked_by)
        return cls(scores, links, pack(np.broadcast_to(page, links.shape), ratings))


def advance(before: Floats, moves: Floats, decode: Decode = "marginal") -> Floats:
    """Return the belief one step on.

    ``before`` is a belief about a page, or one over the six states a step may come from; ``moves[..., i, j]``
    is how strongly a step leads from ``i`` to ``j``. By ``marginal``, all ways into a state add up; by
    ``viterbi`` the best one counts.

    >>> from_start = np.array([0, 0, 0, 0, 0, 1.0])
    >>> advance(from_start, np.ones((FROM, STATES))).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.2]
    """
    ways = _over_six(before)[..., :, None] * moves
    strength: Floats = ways.sum(axis=-2) if decode == "marginal" else ways.max(axis=-2)
    # Moves of a crf are no chances, and the best way alone is not all of them: only the ratio counts.
    total = strength.sum(axis=-1, keepdims=True)
    belief: Floats = np.divide(strength, total, out=np.full_like(strength, 1 / STATES), where=total > 0)
    return belief


def _over_six(belief: Floats) -> Floats:
    """Return a belief about a page as one about where the next step comes from: not from ``START``."""
    return belief if belief.shape[-1] == FROM else np.append(belief, 0.0)


def keys(beliefs: Floats) -> list[float]:
    """Return scores from 0 to 1 that sort as the beliefs do: by T0, among equals by T1, and so on.

    Each chance becomes one of 1001 digits; five of them make a whole number below 2**53, so that no digit is
    lost in a float. "Differ by less than .001", as the paper has it, is no order (a = b and b = c, but
    a > c): equal is what has the same digit.

    >>> low, high = keys(np.array([[0.3004, 0.1, 0, 0, 0.6], [0.3001, 0.2, 0, 0, 0.5]]))
    >>> low < high, round(low, 3)
    (True, 0.3)
    """
    whole = np.zeros(len(beliefs), np.int64)
    for digits in _digits(beliefs).T:
        whole = whole * _BASE + digits
    scores: list[float] = (whole / _KEYS).tolist()
    return scores


def digits_of(score: float) -> tuple[int, ...]:
    """Return the digits that a score was composed of.

    >>> digits_of(keys(np.array([[0.5, 0.25, 0.125, 0.125, 0]]))[0])
    (500, 250, 125, 125, 0)
    """
    whole = round(score * _KEYS)
    return tuple(whole // _BASE**place % _BASE for place in reversed(range(STATES)))


def _digits(beliefs: Floats) -> NDArray[np.int64]:
    # .3 / .001 is a little less than 300 to a computer: rounding errors must not cost a digit.
    return np.clip(np.floor(beliefs / _EQUAL + 1e-9), 0, _BASE - 1).astype(np.int64)


def named(belief: list[float]) -> Why:
    """Return the parts of a belief as ``homing explain`` shows them."""
    return tuple(zip(_NAMES, belief, strict=True))


def pack(beliefs: Floats, ratings: Floats) -> list[bytes]:
    """Return memos of twelve bytes: beliefs, and how the links were rated.

    >>> before, rating = unpack(pack(np.array([[0.5, 0.5, 0, 0, 0]]), np.array([0.25]))[0])
    >>> before.round(3).tolist(), round(rating, 3)
    ([0.5, 0.5, 0.0, 0.0, 0.0, 0.0], 0.25)
    """
    table = np.column_stack([beliefs, ratings]).clip(0, 1)
    packed = (table * _WHOLE).round().astype(_PACKED).tobytes()
    return [packed[begin : begin + _MEMO] for begin in range(0, len(packed), _MEMO)]


def unpack(memo: bytes) -> tuple[Floats, float]:
    """Read a memo: where a step to the URL comes from, and how the link was rated.

    URLs that no belief led to, such as seeds, come from ``START``.
    """
    if len(memo) != _MEMO:
        return np.eye(FROM)[START], 0.0
    *belief, rating = np.frombuffer(memo, _PACKED) / _WHOLE
    return _over_six(np.array(belief)), float(rating)
