"""What happens to one URL at a time, kept in memory: ``ports.VisitStore``."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from homing.header_values import returnable
from homing.model import Entry, Failure, Host, Judgement, Priority, Ranking, RobotsRecord, Standing, State
from homing.ports import NewVisit
from homing.store.memory.tables import KeptVisit, MemoryTables

_SPENT = Priority()


class MemoryVisits(MemoryTables):
    """Keeps visits, links and failures."""

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
                # A seed stays a seed, whichever page links to it.
                parent=None if old.parent is None else entry.parent,
                anchor=entry.anchor,
                depth=min(old.depth, entry.depth),
            )
        for seq in revisits:
            self._standings[seq] = Standing.WAITING

    def keep(self, visit: NewVisit) -> None:
        reply, seq, kind = visit.reply, visit.entry.seq, visit.kind
        self.visits.append(
            KeptVisit(
                step=visit.step,
                kind=kind,
                entry=visit.entry,
                status=reply.status,
                judgement=visit.judgement,
                fingerprint=visit.page.fingerprint if visit.page else None,
                reply=reply if self._bodies else None,
            )
        )
        self._spend(seq, visit.standing)
        if kind == "page":
            self._asked[self._host_of[seq]] += 1
            if visit.judgement is not None:
                self._scores[seq] = visit.judgement.score
        if kind != "unchanged":
            validators = (returnable(reply.header("etag")), returnable(reply.header("last-modified")))
            relevant = bool(visit.judgement and visit.judgement.relevant) if kind == "page" else None
            self._entries[seq] = replace(self._entries[seq], validators=validators, relevant=relevant)

    def link(self, seq: int, targets: Sequence[int]) -> None:
        self._links[seq] = tuple(targets)

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        self.abandoned.append((entry.seq, failure))
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

    def rejudge(self, step: int, judgement: Judgement) -> None:
        for place, kept in enumerate(self.visits):
            if kept.step == step and kept.kind == "page":
                self.visits[place] = dataclasses.replace(kept, judgement=judgement)
                if not any(later.entry.seq == kept.entry.seq for later in self.visits[place + 1 :]):
                    seq = kept.entry.seq
                    self._scores[seq] = judgement.score
                    self._entries[seq] = replace(self._entries[seq], relevant=judgement.relevant)

    def save_strategy(self, step: int, state: State) -> None:
        self._strategy = (step, state)

    def save_ranking(self, ranking: Ranking) -> None:
        self._ranking = ranking

    def note(self, name: str, value: object) -> None:
        self.facts[name] = value

    def commit(self) -> None:
        """Do nothing: there is no disk."""

    def close(self) -> None:
        """Do nothing: there is no disk."""

    def _spend(self, seq: int, standing: Standing) -> None:
        self._standings[seq] = standing
        self._retry_at.pop(seq, None)
        self._entries[seq] = replace(self._entries[seq], priority=_SPENT, memo=b"", why=(), tries=0)
