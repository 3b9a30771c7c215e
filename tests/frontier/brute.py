"""What a frontier and its store should be like, by looking at everything each time.

A list of URLs, each with its standing and priority as the crawl should have them, and with the priority that
should lie on the disk. Slow, plain, and too simple to be wrong in the same way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Self

from homing.model import Priority, Proposal, Standing
from homing.urls import host, site


@dataclass
class Url:
    """A known URL."""

    url: str
    priority: Priority
    stored: Priority
    """What the store should have: it is not told of re-ranks."""
    standing: Standing = Standing.WAITING
    leased: bool = False
    until: float = -math.inf
    """Not to be tried before, by the wall clock."""

    @property
    def waits(self) -> bool:
        return self.standing is Standing.WAITING and not self.leased

    def settle(self, standing: Standing) -> None:
        """It is finished, and has spent what it held."""
        self.standing, self.leased, self.until = standing, False, -math.inf
        self.priority = self.stored = Priority()


@dataclass
class Brute:
    """All URLs in order of discovery, and all hosts."""

    delay: float
    additive: bool
    patient: bool
    pages_per_host: int | None
    pages_per_domain: int | None
    urls: list[Url] = field(default_factory=list)
    pages: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    delays: dict[str, float] = field(default_factory=dict)
    ready_at: dict[str, float] = field(default_factory=dict)
    resting: set[str] = field(default_factory=set)

    def find(self, url: str) -> Url | None:
        return next((each for each in self.urls if each.url == url), None)

    def saved(self) -> Self:
        """As it is found again after a crash: without leases, and without what only memory knew."""
        copy = deepcopy(self)
        for each in copy.urls:
            each.leased, each.priority = False, each.stored
        return copy

    def wake(self, wall: float) -> None:
        """Every host first rests: it may just have been asked."""
        for name in {host(each.url) for each in self.urls}:
            self.rest(name, wall, None)

    def offer(self, proposals: Iterable[Proposal], *, only_known: bool = False) -> None:
        for proposal in proposals:
            each = self.find(proposal.url)
            if each is not None:
                self._merge(each, proposal)
            elif not only_known:
                self.urls.append(Url(proposal.url, proposal.priority, proposal.priority))

    def _merge(self, each: Url, proposal: Proposal) -> None:
        waits_again = each.standing is not Standing.WAITING and proposal.revisit
        if self.additive:
            merged = Priority(score=each.priority.score + proposal.priority.score)
            wins = merged != each.priority or waits_again
        else:
            merged = proposal.priority
            is_better = merged.better_than(each.priority) and each.standing is Standing.WAITING
            wins = is_better or waits_again
        if wins:
            each.priority = each.stored = merged
        if waits_again:
            each.standing = Standing.WAITING

    def rest(self, name: str, wall: float, rest: float | None) -> None:
        pause = max(self.delay, self.delays.get(name, 0.0), rest or 0.0)
        self.ready_at[name] = wall + pause
        if rest is not None or not self.patient:
            self.resting.add(name)
        else:  # waited out with the URL in hand
            self.resting.discard(name)

    def best(self, wall: float) -> Url | None:
        """The best URL whose host may be asked: lower tier, higher score, older."""
        ranks = [
            (each.priority.tier, -each.priority.score, number)
            for number, each in enumerate(self.urls)
            if each.waits and each.until <= wall and self._is_free(host(each.url), wall)
        ]
        return self.urls[min(ranks)[2]] if ranks else None

    def next_chance(self, wall: float) -> float | None:
        """When time alone will make a lease possible."""
        moments = sorted([each.until for each in self.urls] + list(self.ready_at.values()))
        return next((moment for moment in moments if moment > wall and self.best(moment)), None)

    def _is_free(self, name: str, wall: float) -> bool:
        busy = any(each.leased for each in self.urls if host(each.url) == name)
        rests = name in self.resting and self.ready_at[name] > wall
        return not (busy or rests or self._is_full(name))

    def _is_full(self, name: str) -> bool:
        if self.pages_per_host is not None and self.asked[name] >= self.pages_per_host:
            return True
        domain = site(name)
        given = sum(count for each, count in self.asked.items() if site(each) == domain)
        under_way = sum(each.leased for each in self.urls if site(host(each.url)) == domain)
        return self.pages_per_domain is not None and given + under_way >= self.pages_per_domain
