"""A store without a disk, for the lab and for tests."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Known,
    Page,
    Priority,
    Ranking,
    Reply,
    RobotsRecord,
    Standing,
    State,
    Tally,
)
from homing.store.catalog.rows import VisitKind, visit_kind

_SPENT = Priority()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One kept reply: what a row of ``visits`` is in the catalog."""

    step: int
    kind: VisitKind
    entry: Entry
    """As it stood when the page arrived."""
    status: int
    judgement: Judgement | None
    fingerprint: int | None
    """``None`` where no page was read."""
    reply: Reply | None
    """``None`` where bodies are not kept."""


class MemoryStore:
    """Keeps a crawl in lists and gives it up when the process ends. It is a ``ports.Store``.

    Parameters
    ----------
    bodies
        Keep the replies themselves, for ``visits_since``. Without them a visit takes about one kilobyte.
    """

    def __init__(self, *, bodies: bool = True) -> None:
        self.visits: list[Kept] = []
        """Every kept reply in order of arrival: the trace of the crawl."""
        self.given_up: list[tuple[int, Failure]] = []
        """(seq, failure) of URLs that were settled without a reply."""
        self.robots: dict[str, RobotsRecord] = {}
        self.facts: dict[str, object] = {}
        self._bodies = bodies
        self._entries: list[Entry] = []
        self._host_of: list[int] = []
        self._standings: list[Standing] = []
        self._hosts: list[Host] = []
        self._asked: Counter[int] = Counter()
        self._retry_at: dict[int, float] = {}
        self._links: dict[int, tuple[int, ...]] = {}
        self._scores: dict[int, float] = {}
        self._labels: dict[int, bool] = {}
        self._strategy: tuple[int, State] | None = None
        self._ranking: Ranking | None = None

    # -- waking up

    def known(self) -> Known:
        priorities = [entry.priority for entry in self._entries]
        return Known(
            keys=np.array([entry.key for entry in self._entries], dtype=np.int64),
            hosts=np.array(self._host_of, dtype=np.int32),
            standings=np.array(self._standings, dtype=np.int8),
            tiers=np.array([priority.tier for priority in priorities], dtype=np.int32),
            scores=np.array([priority.score for priority in priorities], dtype=np.float64),
        )

    def hosts(self) -> list[Host]:
        return [replace(host, asked=host.asked + self._asked[host.number]) for host in self._hosts]

    def delayed(self) -> list[tuple[int, float]]:
        return sorted(self._retry_at.items(), key=lambda pair: (pair[1], pair[0]))

    def roots(self) -> list[str]:
        return [entry.url for entry in self._entries if entry.parent is None]

    def tally(self) -> Tally:
        kinds = Counter(kept.kind for kept in self.visits)
        relevant = sum(
            kept.judgement.relevant for kept in self.visits if kept.kind == "page" and kept.judgement
        )
        last = dict(self.given_up)
        gone = (Standing.FAILED, Standing.REFUSED)
        failed = Counter(failure.kind for seq, failure in last.items() if self._standings[seq] in gone)
        return Tally(pages=kinds["page"], relevant=relevant, redirects=kinds["redirect"], failed=dict(failed))

    def fact(self, name: str) -> object:
        return self.facts.get(name)

    def strategy_state(self) -> tuple[int, State] | None:
        return self._strategy

    def ranking(self) -> Ranking | None:
        ranking, self._ranking = self._ranking, None
        return ranking

    def visits_since(self, step: int) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        for kept in self.visits:
            if kept.step > step and kept.kind == "page" and kept.reply and kept.judgement:
                yield kept.step, kept.entry, kept.reply, kept.judgement

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        seen: set[int] = set()
        for kept in self.visits:
            if kept.kind == "page" and kept.entry.seq not in seen:
                seen.add(kept.entry.seq)
                yield kept.entry.url, kept.status, kept.fingerprint

    # -- one visit

    def entry(self, seq: int) -> Entry:
        return self._entries[seq]

    def add_hosts(self, hosts: Sequence[Host]) -> None:
        self._hosts.extend(hosts)

    def add(self, entries: Sequence[Entry], hosts: Sequence[int]) -> None:
        for entry, host in zip(entries, hosts, strict=True):
            if entry.seq != len(self._entries):
                raise ValueError(f"URL number {entry.seq} where {len(self._entries)} is next: {entry.url}")
            self._entries.append(entry)
            self._host_of.append(host)
            self._standings.append(Standing.WAITING)

    def update(self, entries: Sequence[Entry], *, revisits: Collection[int] = ()) -> None:
        for entry in entries:
            old = self._entries[entry.seq]
            self._entries[entry.seq] = replace(
                old,
                priority=entry.priority,
                memo=entry.memo,
                why=entry.why,
                # Where a crawl begins is not told by who links there.
                parent=None if old.parent is None else entry.parent,
                anchor=entry.anchor,
                depth=min(old.depth, entry.depth),
            )
        for seq in revisits:
            self._standings[seq] = Standing.WAITING

    def keep(
        self,
        reply: Reply,
        entry: Entry,
        *,
        step: int,
        page: Page | None,
        judgement: Judgement | None,
        standing: Standing,
    ) -> None:
        kind = visit_kind(entry, reply.status, standing)
        self.visits.append(
            Kept(
                step=step,
                kind=kind,
                entry=entry,
                status=reply.status,
                judgement=judgement,
                fingerprint=page.fingerprint if page else None,
                reply=reply if self._bodies else None,
            )
        )
        self._spend(entry.seq, standing)
        if kind == "page":
            self._asked[self._host_of[entry.seq]] += 1
            if judgement is not None:
                self._scores[entry.seq] = judgement.score
        if kind != "unchanged":
            validators = (reply.header("etag"), reply.header("last-modified"))
            self._entries[entry.seq] = replace(self._entries[entry.seq], validators=validators)

    def link(self, seq: int, targets: Sequence[int]) -> None:
        self._links[seq] = tuple(targets)

    def targets(self, seq: int) -> Sequence[int]:
        return self._links.get(seq, ())

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        self.given_up.append((entry.seq, failure))
        self._spend(entry.seq, standing)

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        known = self._entries[entry.seq]
        self._entries[entry.seq] = replace(known, tries=known.tries + 1)
        self._retry_at[entry.seq] = until

    def keep_robots(self, record: RobotsRecord) -> None:
        self.robots[record.origin] = record

    def set_delay(self, host: int, delay: float) -> None:
        self._hosts[host] = replace(self._hosts[host], delay=delay)

    def label(self, seq: int, relevant: bool) -> None:
        self._labels[seq] = relevant

    def labels(self) -> dict[int, bool]:
        return dict(sorted(self._labels.items()))

    def rejudge(self, step: int, judgement: Judgement) -> None:
        for place, kept in enumerate(self.visits):
            if kept.step == step and kept.kind == "page":
                self.visits[place] = dataclasses.replace(kept, judgement=judgement)
                if not any(later.entry.seq == kept.entry.seq for later in self.visits[place + 1 :]):
                    self._scores[kept.entry.seq] = judgement.score

    def save_strategy(self, step: int, state: State) -> None:
        self._strategy = (step, state)

    def save_ranking(self, ranking: Ranking) -> None:
        self._ranking = ranking

    def note(self, name: str, value: object) -> None:
        self.facts[name] = value

    # -- the graph

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pages = sorted(self._links)
        counts = [len(self._links[page]) for page in pages]
        targets = list(chain.from_iterable(self._links[page] for page in pages))
        return np.repeat(np.array(pages, dtype=np.int64), counts), np.array(targets, dtype=np.int64)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        pages = sorted(self._scores)
        scores = [self._scores[page] for page in pages]
        return np.array(pages, dtype=np.int64), np.array(scores, dtype=np.float64)

    def commit(self) -> None:
        """Nothing to do: there is no disk."""

    def close(self) -> None:
        """Nothing to do: there is no disk."""

    def _spend(self, seq: int, standing: Standing) -> None:
        self._standings[seq] = standing
        self._retry_at.pop(seq, None)
        self._entries[seq] = replace(self._entries[seq], priority=_SPENT, memo=b"", why=(), tries=0)
