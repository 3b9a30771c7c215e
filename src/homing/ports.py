"""The seams of the crawler. Each part is known to the engine only by one of these.

A live crawl, the lab and the tests are the same engine with other parts: swap the fetcher for a
replay of a recorded web, the clock for a step counter, the store for one in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Kind,
    Known,
    Page,
    Proposal,
    Ranking,
    Reply,
    RobotsRecord,
    Standing,
    State,
    Tally,
    Topic,
    Visit,
    Wait,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Clock(Protocol):
    """Time comes in by the door."""

    def now(self) -> float:
        """Seconds on a clock that never jumps; for delays and limits."""

    def wall(self) -> float:
        """Seconds since 1970; for records that people read."""

    async def sleep(self, seconds: float) -> None:
        """Let that much time pass."""


class Fetcher(Protocol):
    """Asks a host for a page, politely."""

    async def fetch(self, entry: Entry) -> Reply | Failure | Wait: ...

    async def close(self) -> None: ...


class Parser(Protocol):
    """Reads a reply."""

    def read(self, reply: Reply, kind: Kind = "page") -> Page:
        """The page in a reply; of a sitemap or feed, a page that has nothing but links."""


class Judge(Protocol):
    """Says how much a page is about the topic."""

    name: str

    def judge(self, page: Page) -> Judgement: ...

    def rate(self, texts: list[str]) -> list[float]:
        """The same for short texts (anchors, windows), in one call a page."""

    def topic(self) -> Topic:
        """What a strategy may know of the topic."""


class Store(Protocol):
    """Keeps what the crawl has learnt. Nothing is safe before ``commit`` returns, everything after.

    URLs are known by ``seq``, their number in order of discovery, from 0 without gaps: the frontier
    gives the numbers, the store keeps them.
    """

    # -- waking up
    def known(self) -> Known: ...
    def hosts(self) -> list[Host]: ...
    def delayed(self) -> list[tuple[int, float]]:
        """(seq, seconds since 1970) of waiting URLs that may not be tried before that time."""

    def roots(self) -> list[str]:
        """URLs that were found on no page: the seeds, and what they redirect to."""

    def tally(self) -> Tally: ...
    def fact(self, name: str) -> object:
        """What ``note`` remembered under that name, or ``None``."""

    def strategy_state(self) -> tuple[int, State] | None:
        """The last saved state of the strategy and the step it was saved at."""

    def visits_since(self, step: int) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        """Judged visits after that step whose body was archived, in order."""

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        """(URL, status, fingerprint) of every page by its first visit; ``None`` where none was read."""

    # -- one visit
    def entry(self, seq: int) -> Entry: ...
    def add_hosts(self, hosts: Sequence[Host]) -> None: ...
    def add(self, entries: Sequence[Entry], hosts: Sequence[int]) -> None:
        """New URLs, each with the number of its host."""

    def update(self, entries: Sequence[Entry], *, revisits: Collection[int] = ()) -> None:
        """New priority, memo and why of known URLs, and the link that earned it (parent, anchor).

        Of two depths the smaller is kept. URLs whose seq is among ``revisits`` wait again.
        """

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
        """Archive a reply (WARC first) and settle its URL; its priority, memo and tries are spent.

        ``page`` is ``None`` where nothing was parsed. ``step`` counts pages; a redirect or a sitemap has
        the step of the last page.
        """

    def link(self, seq: int, targets: Sequence[int]) -> None:
        """The URLs that a page or a redirect leads to; they replace what an earlier visit found."""

    def targets(self, seq: int) -> Sequence[int]:
        """The URLs that a page or a redirect led to when it was last visited."""

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        """The URL is finished without a reply."""

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        """The attempt failed: one more try on its count, and none before ``until`` (since 1970)."""

    def keep_robots(self, record: RobotsRecord) -> None: ...
    def set_delay(self, host: int, delay: float) -> None: ...

    def label(self, seq: int, relevant: bool) -> None:
        """A person says whether a page is on the topic; it replaces what was said before."""

    def labels(self) -> dict[int, bool]:
        """What people have said of pages, by ``seq``."""

    def rejudge(self, step: int, judgement: Judgement) -> None:
        """Another judge thinks otherwise of the page of that step."""

    def save_strategy(self, step: int, state: State) -> None: ...
    def save_ranking(self, ranking: Ranking) -> None:
        """Priorities that a re-rank gave to waiting URLs, saved at a clean stop."""

    def ranking(self) -> Ranking | None:
        """The saved ranking, which is then forgotten: it is only true for the moment of the stop."""

    def note(self, name: str, value: object) -> None:
        """Remember a fact about the crawl as a whole, such as ``stop_reason``; any JSON value."""

    # -- the graph, for views
    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...

    def commit(self) -> None: ...
    def close(self) -> None: ...


class Backlinks(Protocol):
    """Knows who links to whom: a crawl's own catalog, a list of links, a search engine that tells."""

    def parents(self, url: str) -> Sequence[str]:
        """URLs of the pages that link to that one, always in the same order."""


class View(Protocol):
    """A read-only look at the whole crawl, for strategies that rank by the graph.

    Pages are known by ``seq``, their number in order of discovery; arrays are parallel.
    """

    def waiting(self) -> NDArray[np.int64]:
        """``seq`` of every URL that waits."""

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The URL keys of these pages, as a ``Ranking`` wants them."""

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Tiers and scores of these pages, as they are now."""

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every known link as (from, to), both ``seq``."""

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """``seq`` and score of every judged page."""


class Strategy(Protocol):
    """Decides which URL is worth asking next. ``strategies/base.py`` is the class to build on."""

    name: str
    rerank_every: int

    def begin(self, topic: Topic) -> None: ...
    def start(self, url: str) -> Proposal: ...
    def learn(self, visit: Visit) -> None: ...
    def score(self, visit: Visit) -> Iterable[Proposal]: ...
    def merge(self, old: Entry, new: Proposal) -> Proposal: ...
    def rerank(self, view: View) -> Ranking | None: ...
    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]: ...
    def state(self) -> State: ...
    def restore(self, state: State) -> None: ...
