"""Ports to the store: writing visits, resuming a crawl, reading the graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Known,
    Page,
    Ranking,
    Reply,
    RobotsRecord,
    Standing,
    State,
    Tally,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


VisitKind = Literal["page", "redirect", "sitemap", "unchanged"]


class NewVisit(Struct, frozen=True, kw_only=True):
    """A reply to be kept, and everything known of it."""

    reply: Reply
    entry: Entry
    """As it stood when the reply was received."""
    step: int
    """Counts pages; a redirect or a sitemap has the step of the last page."""
    standing: Standing
    """Of the URL from now on."""
    page: Page | None = None
    """``None`` where nothing was parsed."""
    judgement: Judgement | None = None

    @property
    def kind(self) -> VisitKind:
        """What the reply counts as: only a ``page`` counts as fetched."""
        if self.entry.kind == "sitemap":
            return "sitemap"
        if self.standing is Standing.REDIRECTED:
            return "redirect"
        return "unchanged" if self.reply.status == 304 else "page"


class VisitStore(Protocol):
    """Writes what happens to one URL at a time. Nothing is safe before ``commit`` returns, everything after.

    URLs are known by ``seq``, their number in order of discovery, from 0 without gaps. The frontier gives the
    numbers.
    """

    def entry(self, seq: int) -> Entry: ...
    def add_hosts(self, hosts: Sequence[Host]) -> None: ...
    def add(self, entries: Sequence[Entry], hosts: Sequence[int]) -> None:
        """Add new URLs, each with the number of its host."""

    def update(self, entries: Sequence[Entry], *, revisits: Collection[int] = ()) -> None:
        """Replace priority, memo and why of known URLs, and the link that gave it (parent, anchor).

        Of two depths the smaller is kept. URLs whose seq is among ``revisits`` are queued again.
        """

    def keep(self, visit: NewVisit) -> None:
        """Archive a reply (WARC first) and settle its URL; its priority, memo and tries are spent."""

    def link(self, seq: int, targets: Sequence[int]) -> None:
        """Keep the URLs that a page or a redirect leads to; they replace those of an earlier visit."""

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        """Finish a URL without a reply."""

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        """Count a failed attempt; the next is not before ``until`` (since 1970)."""

    def keep_robots(self, record: RobotsRecord) -> None: ...
    def set_delay(self, host: int, delay: float) -> None: ...

    def label(self, seq: int, relevant: bool) -> None:
        """Keep a person's label of a page; it replaces an earlier one."""

    def rejudge(self, step: int, judgement: Judgement) -> None:
        """Replace the judgement of the page of that step."""

    def save_strategy(self, step: int, state: State) -> None: ...
    def save_ranking(self, ranking: Ranking) -> None:
        """Save priorities that a re-rank gave to queued URLs, at a clean stop."""

    def note(self, name: str, value: object) -> None:
        """Keep a fact about the crawl as a whole, such as ``stop_reason``; any JSON value."""

    def commit(self) -> None: ...
    def close(self) -> None: ...


class ResumeStore(Protocol):
    """Reads what a later run needs to resume."""

    def known(self) -> Known: ...
    def hosts(self) -> list[Host]: ...
    def delayed(self) -> list[tuple[int, float]]:
        """Return (seq, seconds since 1970) of queued URLs that may not be tried before that time."""

    def roots(self) -> list[str]:
        """Return the URLs that were found on no page: the seeds, and where they redirect."""

    def tally(self) -> Tally: ...
    def fact(self, name: str) -> object:
        """Return what ``note`` kept under that name, or ``None``."""

    def labels(self) -> dict[int, bool]:
        """Return people's labels by ``seq``: whether the page is relevant."""

    def strategy_state(self) -> tuple[int, State] | None:
        """Return the last saved state of the strategy and the step it was saved at.

        One that is damaged is a ``BrokenStateError``.
        """

    def set_state_aside(self) -> str:
        """Put the saved state of the strategy aside, as it cannot be used; return where it is."""

    def visits_since(
        self, step: int, note: Callable[[str], None] = ...
    ) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        """Yield judged visits after that step whose body was archived, in order.

        Those whose record is damaged are left out; ``note`` is called with a message for each.
        """

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        """Yield (URL, status, fingerprint) of every page by its first visit; ``None`` where none was read."""

    def ranking(self) -> Ranking | None:
        """Return the saved ranking, and delete it: it is only true for the moment of the stop.

        One that is damaged is a ``BrokenStateError``; it is put aside.
        """


class GraphStore(Protocol):
    """Reads the graph of the pages, for strategies that rank by it."""

    def targets(self, seq: int) -> Sequence[int]:
        """Return the URLs that a page or a redirect led to when it was last visited."""

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...


class Store(VisitStore, ResumeStore, GraphStore, Protocol):
    """All three, as one crawl folder or one memory store offers them."""


class Backlinks(Protocol):
    """Knows which pages link to a URL: a crawl's own catalog, a list of links, a search engine."""

    def parents(self, url: str) -> Sequence[str]:
        """Return the URLs of the pages that link to it, always in the same order."""
