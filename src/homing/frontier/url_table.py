"""All known URLs as numbers: the table that the frontier orders and everyone else may read.

A URL is known by its ``seq``, its number in order of discovery. Columns hold the standing, tier, score and
host of each, about 35 bytes a URL with its key. Nothing is ever taken out.

A priority and the URL's age make up one integer, its rank: the smaller, the sooner. A heap of a million
tuples costs 150 bytes an entry; a heap of integers costs 50, and comparing two of them is one C call. From
the high bits down: the tier, the negated score as 64 bits that sort like the number they stand for, and the
``seq``, so that the older URL wins a tie.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Collection, Iterable, Iterator

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.frontier.reasons import Reasons
from homing.key_table import Keys
from homing.model import Entry, Known, Priority, Ranking, Standing

QUEUED = int(Standing.WAITING)
REFUSED = int(Standing.REFUSED)
LEASED = 100
DELAYED = 101
"""Two standings that are never stored: after a crash such a URL is simply queued."""
UNFINISHED = (QUEUED, LEASED, DELAYED)

AGE = (1 << 32) - 1
"""The bits of a rank that hold the URL's ``seq``."""
_AGE_BITS, _SCORE_BITS = 32, 64
_SIGN = 1 << 63
_ALL = (1 << _SCORE_BITS) - 1
_TIER_OFFSET = 1 << 31
"""Tiers are 32-bit and may be negative; in the rank they are not."""
_PORTION = 4_096
"""Ranks built at once: what each is built of takes three times its room."""

_as_bytes = struct.Struct(">d").pack
_as_integer = struct.Struct(">Q").unpack


class UrlTable:
    """Standing, priority and host of every known URL, by its number."""

    def __init__(self) -> None:
        self.standings = array("b")
        self.tiers = array("i")
        self.scores = array("d")
        self.hosts = array("i")
        self.reasons = Reasons()
        self._linked_twice = bytearray()
        self._use(Keys())

    def __len__(self) -> int:
        return len(self.standings)

    def load(self, known: Known) -> None:
        """Take over what an earlier run knew."""
        self._use(Keys(known.keys))
        self.standings = array("b", known.standings.astype(np.int8).tobytes())
        self.tiers = array("i", known.tiers.astype(np.int32).tobytes())
        self.scores = array("d", known.scores.astype(np.float64).tobytes())
        self.hosts = array("i", known.hosts.astype(np.int32).tobytes())

    def _use(self, keys: Keys) -> None:
        self._keys = keys
        self.seq_of = keys.get
        """The number of a URL by its key, or ``None``. No method: it is called thirty times a page."""

    # -- one URL

    def add(self, key: int, host: int, priority: Priority) -> int:
        """Add a URL never seen before, queued. Returns its number."""
        seq = len(self.standings)
        self._keys.add(key, seq)
        self.standings.append(QUEUED)
        self.tiers.append(priority.tier)
        self.scores.append(priority.score)
        self.hosts.append(host)
        return seq

    def standing_of(self, seq: int) -> Standing:
        """Return where a URL stands; leased and delayed ones are ``WAITING``."""
        standing = self.standings[seq]
        return Standing.WAITING if standing in (LEASED, DELAYED) else Standing(standing)

    def is_queued(self, seq: int) -> bool:
        """Is the URL in the queue, even if delayed?"""
        return self.standings[seq] in (QUEUED, DELAYED)

    def is_refused(self, seq: int) -> bool:
        """Was the URL turned down for good?"""
        return self.standings[seq] == REFUSED

    def priority_of(self, seq: int) -> Priority:
        return Priority(tier=self.tiers[seq], score=self.scores[seq])

    def confirm(self, targets: Iterable[int], first_new: int, hosts: Collection[int]) -> tuple[int, int]:
        """Return how many of these URLs on these hosts are new, and how many are linked for the second time.

        Which URLs were linked twice is forgotten when a crawl is resumed.
        """
        born = confirmed = 0
        self._linked_twice.extend(bytes(len(self) - len(self._linked_twice)))
        for target in targets:
            if self.hosts[target] in hosts:
                if target >= first_new:
                    born += 1
                elif not self._linked_twice[target]:
                    self._linked_twice[target] = True
                    confirmed += 1
        return born, confirmed

    def set_priority(self, seq: int, priority: Priority) -> None:
        self.tiers[seq] = priority.tier
        self.scores[seq] = priority.score
        if seq < self.reasons.reach:
            self.reasons.forget(seq)

    def current(self, entry: Entry) -> Entry:
        """Return the store's entry with its present priority, and the reasons if a re-rank gave it."""
        seq = entry.seq
        why = (self.reasons.why(seq) if seq < self.reasons.reach else ()) or entry.why
        return replace(entry, priority=Priority(tier=self.tiers[seq], score=self.scores[seq]), why=why)

    def rank(self, seq: int) -> int:
        """Return the rank of a URL; its last bits are the ``seq`` (``rank & AGE``).

        >>> table = UrlTable()
        >>> offers = [(0, 0.5), (0, 0.5), (0, -1.0), (1, 9.0), (0, 0.9)]
        >>> for key, (tier, score) in enumerate(offers):
        ...     _ = table.add(key, 0, Priority(tier=tier, score=score))
        >>> [rank & AGE for rank in sorted(map(table.rank, range(5)))]
        [4, 0, 1, 2, 3]
        """
        # Subtracting from zero turns -0.0 into 0.0: equal scores must have equal bits. IEEE doubles sort like
        # their bits if negative ones are inverted and positive ones get the sign bit.
        bits: int = _as_integer(_as_bytes(0.0 - self.scores[seq]))[0]
        bits = bits ^ _ALL if bits & _SIGN else bits | _SIGN
        return ((self.tiers[seq] + _TIER_OFFSET) << (_SCORE_BITS + _AGE_BITS)) | (bits << _AGE_BITS) | seq

    # -- many at once; arrays cannot grow while numpy looks at them, so every answer is a copy

    def ranks(self, seqs: NDArray[np.int64]) -> Iterator[int]:
        """Yield ``rank`` of each of these URLs."""
        all_tiers, all_scores = self.priorities_of(seqs)
        for start in range(0, len(seqs), _PORTION):
            part = slice(start, start + _PORTION)
            bits = (0.0 - all_scores[part]).view(np.uint64)
            negative = (bits & np.uint64(_SIGN)) != 0
            bits = np.where(negative, ~bits, bits | np.uint64(_SIGN))
            tiers = (all_tiers[part].astype(np.int64) + _TIER_OFFSET).tolist()
            for tier, score, seq in zip(tiers, bits.tolist(), seqs[part].tolist(), strict=True):
                yield (tier << (_SCORE_BITS + _AGE_BITS)) | (score << _AGE_BITS) | seq

    def standing_as(self, *standings: int) -> NDArray[np.int64]:
        """Return the numbers of all URLs of these standings, oldest first."""
        there = np.isin(np.frombuffer(self.standings, dtype=np.int8), standings)
        return np.flatnonzero(there).astype(np.int64)

    def queued_seqs(self) -> NDArray[np.int64]:
        """Return the numbers of all URLs that may be leased, oldest first."""
        return self.standing_as(QUEUED)

    def unfinished_seqs(self, hosts: Collection[int] | None = None) -> NDArray[np.int64]:
        """Return the same with those that are delayed; only of these hosts, if any are named."""
        return self._on(self.standing_as(QUEUED, DELAYED), hosts)

    def refused_seqs(self, hosts: Collection[int] | None = None) -> NDArray[np.int64]:
        """Return the numbers of URLs that were refused; only of these hosts, if any are named."""
        return self._on(self.standing_as(REFUSED), hosts)

    def _on(self, seqs: NDArray[np.int64], hosts: Collection[int] | None) -> NDArray[np.int64]:
        return seqs if hosts is None else seqs[np.isin(self.hosts_of(seqs), list(hosts))]

    def hosts_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int32]:
        return np.frombuffer(self.hosts, dtype=np.int32)[seqs]

    def keys_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._keys.in_order()[seqs]

    def priorities_of(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return tiers and scores of these URLs."""
        tiers = np.frombuffer(self.tiers, dtype=np.int32)[seqs]
        return tiers, np.frombuffer(self.scores, dtype=np.float64)[seqs]

    def ranking(self) -> Ranking:
        """Return the priorities of all queued URLs, delayed ones too, as ``overwrite`` takes them."""
        seqs = self.unfinished_seqs()
        tiers, scores = self.priorities_of(seqs)
        return Ranking(keys=self.keys_of(seqs), tiers=tiers, scores=scores, parts=self.reasons.of(seqs))

    def overwrite(self, ranking: Ranking) -> None:
        """Replace the priorities of unfinished URLs; others, and keys never seen, are passed over."""
        seqs = self._keys.of(ranking.keys)
        standings = np.frombuffer(self.standings, dtype=np.int8)[seqs]
        concerned = (seqs >= 0) & np.isin(standings, UNFINISHED)
        if not np.isfinite(ranking.scores[concerned]).all():
            raise ValueError("a ranking must have finite scores")
        np.frombuffer(self.tiers, dtype=np.int32)[seqs[concerned]] = ranking.tiers[concerned]
        np.frombuffer(self.scores, dtype=np.float64)[seqs[concerned]] = ranking.scores[concerned]
        parts = {name: column[concerned] for name, column in ranking.parts.items()}
        self.reasons.replace(seqs[concerned], parts)
