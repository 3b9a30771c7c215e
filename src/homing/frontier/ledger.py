"""What is known of every URL, as numbers: about 35 bytes each.

The ``seq`` of each URL key (the URL's number in order of discovery), and arrays that hold standing, tier,
score and host at place ``seq``. Nothing is ever taken out.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from homing.frontier.reasons import Reasons
from homing.key_table import Keys
from homing.model import Known, Priority, Ranking, Standing

WAITING = int(Standing.WAITING)
REFUSED = int(Standing.REFUSED)
LEASED = 100
DELAYED = 101
"""Two standings that are never stored: after a crash such a URL simply waits."""
UNFINISHED = (WAITING, LEASED, DELAYED)


class Ledger:
    """Standing, priority and host of every known URL, by its number."""

    def __init__(self) -> None:
        self.seqs = Keys()
        self.standings = array("b")
        self.tiers = array("i")
        self.scores = array("d")
        self.hosts = array("i")
        self.reasons = Reasons()

    def __len__(self) -> int:
        return len(self.standings)

    def load(self, known: Known) -> None:
        """Take over what an earlier run knew."""
        self.seqs = Keys(known.keys)
        self.standings = array("b", known.standings.astype(np.int8).tobytes())
        self.tiers = array("i", known.tiers.astype(np.int32).tobytes())
        self.scores = array("d", known.scores.astype(np.float64).tobytes())
        self.hosts = array("i", known.hosts.astype(np.int32).tobytes())

    def add(self, key: int, host: int, priority: Priority) -> int:
        """A URL never seen before; it waits. Returns its number."""
        seq = len(self.standings)
        self.seqs.add(key, seq)
        self.standings.append(WAITING)
        self.tiers.append(priority.tier)
        self.scores.append(priority.score)
        self.hosts.append(host)
        return seq

    def priority_of(self, seq: int) -> Priority:
        return Priority(tier=self.tiers[seq], score=self.scores[seq])

    def set_priority(self, seq: int, priority: Priority) -> None:
        self.tiers[seq] = priority.tier
        self.scores[seq] = priority.score
        self.reasons.forget(seq)

    def is_better(self, priority: Priority, seq: int) -> bool:
        """``Priority.better_than``, without making a ``Priority``: asked thirty times a page."""
        tier = self.tiers[seq]
        return priority.tier < tier or (priority.tier == tier and priority.score > self.scores[seq])

    # -- many at once; arrays cannot grow while numpy looks at them, so every answer is a copy

    def standing_as(self, *standings: int) -> NDArray[np.int64]:
        """The numbers of all URLs of these standings, oldest first."""
        return np.flatnonzero(np.isin(np.frombuffer(self.standings, dtype=np.int8), standings)).astype(
            np.int64
        )

    def hosts_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int32]:
        return np.frombuffer(self.hosts, dtype=np.int32)[seqs]

    def keys_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.seqs.in_order()[seqs]

    def priorities_of(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Tiers and scores."""
        tiers = np.frombuffer(self.tiers, dtype=np.int32)[seqs]
        return tiers, np.frombuffer(self.scores, dtype=np.float64)[seqs]

    def overwrite(self, ranking: Ranking) -> None:
        """Replace the priorities of unfinished URLs; others, and keys never seen, are passed over."""
        seqs = self.seqs.of(ranking.keys)
        standings = np.frombuffer(self.standings, dtype=np.int8)[seqs]
        concerned = (seqs >= 0) & np.isin(standings, UNFINISHED)
        if not np.isfinite(ranking.scores[concerned]).all():
            raise ValueError("a ranking must have finite scores")
        np.frombuffer(self.tiers, dtype=np.int32)[seqs[concerned]] = ranking.tiers[concerned]
        np.frombuffer(self.scores, dtype=np.float64)[seqs[concerned]] = ranking.scores[concerned]
        parts = {name: column[concerned] for name, column in ranking.parts.items()}
        self.reasons.replace(seqs[concerned], parts)
