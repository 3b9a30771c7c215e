"""Ports to what reads pages and decides about them: parser, judge, strategy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from homing.model import (
    Entry,
    Failure,
    Judgement,
    Kind,
    Page,
    Proposal,
    Ranking,
    Reading,
    Reply,
    State,
    Topic,
    Visit,
)
from homing.ports.frontier import View


class Parser(Protocol):
    """Turns a reply into a page."""

    def read(self, reply: Reply, kind: Kind = "page") -> Page:
        """Return the page in a reply; of a sitemap or feed, a page that has nothing but links."""


class Judge(Protocol):
    """Scores how much a page is about the topic."""

    name: str

    def judge(self, page: Page) -> Judgement: ...

    def rate(self, texts: list[str]) -> list[float]:
        """Score short texts (anchors, windows), all of a page in one call."""

    def topic(self) -> Topic:
        """Return what a strategy may know of the topic."""


class Reader(Protocol):
    """Parser and judge together, here or in a worker process."""

    def parse(self, reply: Reply, kind: Kind) -> Page: ...

    def judge(self, page: Page, reading: Reading | None = None) -> Judgement:
        """Judge a page, unless a worker's reading has the present judge's judgement."""

    def use(self, judge: Judge) -> None:
        """Judge with this judge from now on."""

    def wants(self, reply: Reply) -> bool:
        """Should this reply be read by a worker process?"""

    async def read(self, reply: Reply, kind: Kind) -> Reading:
        """Parse and judge in a worker process."""

    def close(self) -> None: ...


class Merges(Protocol):
    """A rule for two proposals for one URL; every strategy is one."""

    @property
    def additive(self) -> bool:
        """Must every proposal reach ``merge``, as cash must? Otherwise the better proposal is kept."""

    def merge(self, old: Entry, new: Proposal) -> Proposal: ...


class Learns(Merges, Protocol):
    """What the steps of a visit need of a strategy (``steps.py``)."""

    def learn(self, visit: Visit) -> None: ...
    def score(self, visit: Visit) -> Iterable[Proposal]: ...


class Strategy(Learns, Protocol):
    """Orders the frontier. ``strategies/base.py`` is the class to build on."""

    name: str
    rerank_every: int

    def begin(self, topic: Topic) -> None: ...
    def start(self, url: str) -> Proposal: ...
    def rerank(self, view: View) -> Ranking | None: ...
    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]: ...
    def state(self) -> State: ...
    def restore(self, state: State) -> None: ...
