"""Ranks as tiers: the rank decides, and among URLs of one rank what stands around the links.

Strategies that rank pages cannot tell the links of one page apart, and many URLs hang on one page. So a rank
becomes a tier, a step for each per cent, and within a tier the better score comes first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from homing.model import Entry, Priority, Proposal

BEFORE_ALL = -1_000_000
"""The tier of seeds."""
NOWHERE = 20_000
"""The tier of what has no rank at all; e**-200 is below any rank."""
_STEPS = 100
"""Tiers for each power of e, a step of one per cent."""


def tier_of(rank: float) -> int:
    """Return the tier of a rank: the higher the rank, the lower the tier."""
    return NOWHERE if rank <= 0 else min(round(-_STEPS * math.log(rank)), NOWHERE)


def tiers_of(ranks: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the tiers of many ranks."""
    with np.errstate(divide="ignore"):
        steps = -_STEPS * np.log(ranks)
    tiers: NDArray[np.int32] = np.minimum(np.rint(steps), NOWHERE).astype(np.int32)
    return tiers


def rank_of(tier: int) -> float:
    """Return the rank a tier stands for; seeds and pages of a breadth-first phase have none yet."""
    return 0.0 if tier >= NOWHERE or tier < BEFORE_ALL // 2 else math.exp(-tier / _STEPS)


def keep_best_of_each(old: Entry, new: Proposal) -> Proposal:
    """Return the better tier and the better score of two proposals for one URL, whichever has them.

    The page with the best rank is seldom the one that says most about a link: with the better priority alone,
    what others said would be lost. The first part of ``why`` is the rank.
    """
    by_rank = new if new.priority.tier < old.priority.tier else old
    by_score = new if new.priority.score > old.priority.score else old
    priority = Priority(tier=by_rank.priority.tier, score=by_score.priority.score)
    why = (*by_rank.why[:1], *by_score.why[1:])
    return Proposal(url=old.url, priority=priority, why=why, revisit=new.revisit)
