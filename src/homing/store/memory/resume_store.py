"""What a resumed crawl would need, from memory: ``ports.ResumeStore``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from homing.model import Entry, Host, Judgement, Known, Ranking, Reply, Standing, State, Tally
from homing.store.memory.tables import MemoryTables


class MemoryResume(MemoryTables):
    """Reads the crawl back."""

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
        return [replace(host, pages=host.pages + self._asked[host.number]) for host in self._hosts]

    def delayed(self) -> list[tuple[int, float]]:
        return sorted(self._retry_at.items(), key=lambda pair: (pair[1], pair[0]))

    def roots(self) -> list[str]:
        return [entry.url for entry in self._entries if entry.parent is None]

    def tally(self) -> Tally:
        kinds = Counter(kept.kind for kept in self.visits)
        held = [entry.relevant for entry in self._entries if entry.relevant is not None]
        last = dict(self.abandoned)
        gone = (Standing.FAILED, Standing.REFUSED)
        failed = Counter(failure.kind for seq, failure in last.items() if self._standings[seq] in gone)
        return Tally(
            pages=len(held),
            relevant=sum(held),
            steps=kinds["page"],
            unchanged=kinds["unchanged"],
            redirects=kinds["redirect"],
            failed=dict(failed),
        )

    def fact(self, name: str) -> object:
        return self.facts.get(name)

    def labels(self) -> dict[int, bool]:
        return dict(sorted(self._labels.items()))

    def strategy_state(self) -> tuple[int, State] | None:
        return self._strategy

    def ranking(self) -> Ranking | None:
        ranking, self._ranking = self._ranking, None
        return ranking

    def set_state_aside(self) -> str:
        self._strategy = None
        return ""

    def visits_since(
        self, step: int, note: Callable[[str], None] = lambda trouble: None
    ) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        for kept in self.visits:
            if kept.step > step and kept.kind == "page" and kept.reply and kept.judgement:
                yield kept.step, kept.entry, kept.reply, kept.judgement

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        seen: set[int] = set()
        for kept in self.visits:
            if kept.kind == "page" and kept.entry.seq not in seen:
                seen.add(kept.entry.seq)
                yield kept.entry.url, kept.status, kept.fingerprint
