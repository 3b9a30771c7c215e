"""The CPU time of a strategy, and of its fits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from homing.model import Entry, Failure, Proposal, Ranking, State, Topic, Visit
from homing.ports import Strategy, View
from homing.strategies.trained.base import Trained

_EVERY = 8


class Stopwatch:
    """Passes every call to a strategy, and measures the CPU time that it spends on a page.

    Every eighth visit stands for all: reading the CPU time is a system call, which may take as long as a
    cheap strategy. A ``rerank`` in which a strategy fitted itself counts as a fit: it is rare and long, and
    could be done elsewhere.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.name = strategy.name
        self.rerank_every = strategy.rerank_every
        self.start = strategy.start
        self.additive = strategy.additive
        self.merge = strategy.merge
        self.seconds = 0.0
        self.fit_seconds = 0.0
        self._strategy = strategy

    @property
    def fits(self) -> int:
        """Number of times that the strategy fitted itself."""
        return self._strategy.fits if isinstance(self._strategy, Trained) else 0

    def begin(self, topic: Topic) -> None:
        self._strategy.begin(topic)
        self.rerank_every = self._strategy.rerank_every

    def learn(self, visit: Visit) -> None:
        if visit.step % _EVERY:
            self._strategy.learn(visit)
            return
        with self._timed(_EVERY):
            self._strategy.learn(visit)

    def score(self, visit: Visit) -> Iterable[Proposal]:
        if visit.step % _EVERY:
            return self._strategy.score(visit)
        with self._timed(_EVERY):
            return list(self._strategy.score(visit))

    def rerank(self, view: View) -> Ranking | None:
        before, fits = self.seconds, self.fits
        with self._timed():
            ranking = self._strategy.rerank(view)
        if self.fits > fits:
            self.fit_seconds += self.seconds - before
            self.seconds = before
        return ranking

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        return self._strategy.missed(entry, failure)

    def state(self) -> State:
        """Return nothing: a replay is never resumed."""
        return {}

    def restore(self, state: State) -> None:
        """Do nothing: no state was saved."""

    @contextmanager
    def _timed(self, times: int = 1) -> Iterator[None]:
        began = time.thread_time()
        yield
        self.seconds += times * (time.thread_time() - began)
