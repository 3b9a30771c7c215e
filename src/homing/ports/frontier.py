"""Ports to the known URLs: which may be followed, which is next, and what a strategy may see of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from homing.model import (
    Changes,
    Entry,
    Host,
    Known,
    Lease,
    Priority,
    Proposal,
    Ranking,
    Standing,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from homing.ports.topic import Merges


class Scope(Protocol):
    """The borders of a crawl."""

    def root(self, url: str) -> None:
        """Widen the borders by a seed, or by what a seed redirects to."""

    def block(self, pattern: str) -> None:
        """Refuse this host, or what matches this glob, from now on."""

    def unblock(self, pattern: str) -> None:
        """Lift a block."""

    def refusal(self, url: str, depth: int) -> str:
        """Return why a URL is not taken; empty if it is."""

    def blocked(self, url: str) -> str:
        """Return the block a URL falls under; empty if none. Blocks hold for seeds too."""


class Traps(Protocol):
    """Patterns of URLs and sites that bring nothing new."""

    def load(self, pages: Iterable[tuple[str, int]], cut: Mapping[str, int]) -> None:
        """Meet the pages of earlier runs again, in order, and take over how many links were cut."""

    def cut(self, count: int) -> dict[str, int]:
        """Return how many links were not followed, by reason; the most frequent reasons."""

    reopened: list[str]
    """Patterns that are no traps after all, until their refused URLs are queued again."""

    def meet(self, url: str, fingerprint: int) -> bool:
        """Note a page that was fetched; return whether it is new."""

    def refusal(self, url: str) -> str:
        """Return why a queued URL is not worth a request; empty if it is."""

    def lets_pass(self, url: str) -> bool:
        """May a link that was just found be followed?"""


class HostQueue(Protocol):
    """One host, and its queued URLs."""

    number: int
    name: str
    delay: float | None
    """The host's own Crawl-delay, if it has one."""
    pages: int
    """Pages it has given."""
    failures: int
    """Requests that failed in a row, in this run."""
    queued: int
    busy: bool
    ready_at: float


class Hosts(Protocol):
    """All hosts of a crawl, and when each may be requested."""

    delay: float
    """Seconds between two requests to one host."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[HostQueue]: ...
    def delay_of(self, number: int) -> float:
        """Return the longer of our delay and the host's own."""

    def is_full(self, number: int) -> bool:
        """Has a host, or its domain, given as many pages as it may?"""

    def lift_quotas(self) -> None: ...
    def allowances(self) -> dict[str, float]:
        """Return what domains may still give, as ``restore_allowances`` takes it."""

    def restore_allowances(self, saved: Mapping[str, float]) -> None: ...
    def held_back(self) -> dict[str, int]:
        """Return how many URLs are queued on domains that are held back, by domain."""


class UrlTable(Protocol):
    """All known URLs as numbers; only the frontier changes them."""

    @property
    def seq_of(self) -> Callable[[int], int | None]:
        """The number of a URL by its key, or ``None``."""

    def __len__(self) -> int: ...
    def standing_of(self, seq: int) -> Standing: ...
    def is_queued(self, seq: int) -> bool: ...
    def is_refused(self, seq: int) -> bool: ...
    def priority_of(self, seq: int) -> Priority: ...
    def current(self, entry: Entry) -> Entry:
        """Return the store's entry with its present priority."""

    def queued_seqs(self) -> NDArray[np.int64]: ...
    def unfinished_seqs(self, hosts: Collection[int] | None = None) -> NDArray[np.int64]: ...
    def refused_seqs(self, hosts: Collection[int] | None = None) -> NDArray[np.int64]: ...
    def keys_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]: ...
    def priorities_of(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
    def ranking(self) -> Ranking: ...


class Frontier(Protocol):
    """Known URLs in order of their priority, among hosts that may be requested now."""

    @property
    def urls(self) -> UrlTable: ...
    @property
    def hosts(self) -> Hosts: ...
    @property
    def queued(self) -> int: ...
    @property
    def leased(self) -> int: ...
    @property
    def overwritten(self) -> bool:
        """Have priorities been replaced as a whole, so that the store does not know them?"""

    last_tier: int | None
    """Nothing of a higher tier is leased, if this is set."""

    def load(self, known: Known, hosts: list[Host], delayed: list[tuple[int, float]], now: float) -> None: ...
    def is_stuck(self, before: float = ...) -> bool: ...
    def head(self, count: int) -> list[int]: ...
    def lease(self, now: float) -> Lease | None: ...
    def next_time(self) -> float | None: ...
    def host_of(self, seq: int) -> HostQueue: ...
    def delay_of(self, seq: int) -> float: ...
    def rest(self, seq: int, now: float, seconds: float) -> None: ...
    def release(
        self, seq: int, now: float, *, rest: float | None = None, counted: bool = False, failed: bool = False
    ) -> None: ...
    def free(self, seq: int) -> None: ...
    def linked(self, seq: int, targets: Iterable[int], first_new: int) -> None:
        """Let a page's domain earn what its links show; URLs from ``first_new`` on were unknown before."""

    def earn(self, seq: int, pages: int) -> None:
        """Let the domain of a URL give more pages."""

    def probe(self) -> bool:
        """Let a domain that is held back give one page; return whether there is one that may."""

    def settle(self, seq: int, standing: Standing) -> None: ...
    def put_back(self, seq: int) -> None: ...
    def postpone(self, seq: int, until: float) -> None: ...
    def withdraw(self, seq: int) -> None: ...
    def offer(
        self, proposals: Iterable[tuple[int, Proposal]], rule: Merges, look_up: Callable[[int], Entry]
    ) -> Changes: ...
    def overwrite(self, ranking: Ranking) -> None: ...


class View(Protocol):
    """A read-only look at the whole crawl, for strategies that rank by the graph.

    Pages are known by ``seq``, their number in order of discovery; arrays are parallel.
    """

    def waiting(self) -> NDArray[np.int64]:
        """Return the ``seq`` of every queued URL."""

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the URL keys of these pages, as a ``Ranking`` wants them."""

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return tiers and scores of these pages, as they are now."""

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return every known link as (from, to), both ``seq``."""

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return ``seq`` and score of every judged page."""
