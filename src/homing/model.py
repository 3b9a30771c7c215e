"""The values that travel through a crawl.

The parts of a crawl do not know each other: each takes and returns these values, and only the engine knows
which part gets which (``crawler/engine.py``). All of them are frozen, so that what a part was given cannot
change later, and the same visit always means the same. A page needs some two hundred of them, so they are
structs of msgspec, which cost a tenth of frozen dataclasses; ``msgspec.structs.replace`` returns a copy with
other values.
"""

from __future__ import annotations

import math
from base64 import b32encode
from collections.abc import Callable, Mapping
from enum import IntEnum
from hashlib import sha1
from typing import Literal

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

Why = tuple[tuple[str, float], ...]
"""The named parts of a score, in the order in which they are shown."""

State = Mapping[str, object]
"""The saved state of a strategy or judge: plain data that survives a round trip through JSON."""


# --- what is fetched -----------------------------------------------------------------------------


class Link(Struct, frozen=True, kw_only=True, gc=False):
    """A link as its page shows it: its target and its context."""

    url: str
    anchor: str = ""
    """The words that a reader clicks on; the alternative text if the link is an image."""
    around: str = ""
    """Twenty words around the link, the anchor among them."""
    block: str = ""
    """The paragraph that holds the link, or the whole list if it is a list item."""
    headings: tuple[str, ...] = ()
    """The headings above the link, nearest first, the main heading last."""
    path: str = ""
    """Tag names from the root to the link, such as ``html/body/div.nav/ul/li/a``."""
    rel: str = ""
    """The ``rel`` attribute in lower case; ``refresh``, ``frame``, ``sitemap`` ... if it is no ``<a>``."""
    place: int = 0
    """Position among the links of the page, in document order."""


class Page(Struct, frozen=True, kw_only=True):
    """A parsed reply."""

    url: str
    title: str = ""
    description: str = ""
    keywords: str = ""
    alts: str = ""
    text: str = ""
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    language: str = ""
    digest: str = ""
    """``sha1:`` and the base32 digest of the body, as WARC files spell it."""
    fingerprint: int = 0
    """A 64-bit simhash of the text: near-duplicates differ in few bits. 0 where there is no text."""
    canonical: str = ""
    """The canonical address that the page gives for itself, if any."""
    noindex: bool = False
    nofollow: bool = False


REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Reply(Struct, frozen=True, kw_only=True):
    """A final HTTP response, its body decoded."""

    url: str
    final_url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    requested_at: float = 0.0
    """When the request was sent, in seconds since 1970."""
    took: float = 0.0
    truncated: str = ""
    """Why the body is incomplete, as WARC says it (``length``, ``time``, ``disconnect``); else empty."""
    request: tuple[tuple[str, str], ...] = ()
    """The headers of the request."""
    address: str = ""
    """The IP address of the server."""
    rest: float | None = None
    """Seconds that the host wants to rest, if it says so (``Retry-After``)."""

    @property
    def has_page(self) -> bool:
        """Whether the status says that the body is what was requested."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether it is a redirect with a target."""
        return self.status in REDIRECTS and bool(self.header("Location"))

    def header(self, name: str) -> str:
        """Return the first header of that name, or an empty string."""
        wanted = name.lower()
        for key, value in self.headers:
            if key.lower() == wanted:
                return value
        return ""


def digest_of(*pieces: bytes) -> str:
    """Return the SHA-1 of these bytes, one after another, in the notation of WARC files."""
    sha = sha1(usedforsecurity=False)
    for piece in pieces:
        sha.update(piece)
    return f"sha1:{b32encode(sha.digest()).decode()}"


class Failure(Struct, frozen=True, kw_only=True):
    """A request without a reply. It happens every minute on the web, so it is a value, not an exception."""

    url: str
    kind: str
    """``dns``, ``connect``, ``tls``, ``timeout``, ``protocol``, ``address``, ``robots``, ``redirects`` ..."""
    detail: str = ""
    retry_in: float | None = None
    """Seconds after which a retry makes sense; ``None`` if none does."""
    rest: float | None = None
    """Seconds that the host should rest, if longer than its delay."""
    requested: bool = True
    """Whether a request was sent at all: robots.txt or the address guard may forbid it."""


class RobotsRecord(Struct, frozen=True, kw_only=True):
    """The reply to a request for robots.txt; kept in the catalog for at most a day."""

    origin: str
    """Scheme, host and port, such as ``https://example.org``."""
    status: int
    """HTTP status; 0 if the host could not be reached."""
    text: str = ""
    fetched_at: float = 0.0
    """Seconds since 1970."""


class Wait(Struct, frozen=True, kw_only=True):
    """The host's robots.txt had to be fetched first: request the page again later."""

    url: str
    robots: RobotsRecord | None = None
    """The robots.txt, for the catalog to keep."""
    sitemaps: tuple[str, ...] = ()
    """Sitemaps that robots.txt named."""
    delay: float | None = None
    """The host's own Crawl-delay in seconds, already capped, if it has one."""
    rest: float | None = None
    """Seconds that the host should rest, if longer than its delay."""


# --- what is decided --------------------------------------------------------------------


class Judgement(Struct, frozen=True, kw_only=True):
    """How much a page is about the topic; it is ``relevant`` from a score of one half."""

    score: float
    relevant: bool
    judge: str
    why: Why = ()
    """The words that decided, heaviest first."""


class Reading(Struct, frozen=True, kw_only=True):
    """A page as parsed and judged by a worker process."""

    page: Page
    judgement: Judgement | None
    """``None`` for a sitemap, which is no page."""
    version: int = 0
    """Number of the judge in this crawl; see ``crawler/reader.py``."""


class Priority(Struct, frozen=True, kw_only=True, gc=False):
    """The order of the frontier: the lower tier first, then the higher score, then the older URL."""

    tier: int = 0
    score: float = 0.0

    def better_than(self, other: Priority) -> bool:
        return self.tier < other.tier or (self.tier == other.tier and self.score > other.score)


class Proposal(Struct, frozen=True, kw_only=True, gc=False):
    """A strategy's priority for one URL, and the reasons for it."""

    url: str
    priority: Priority = field(default_factory=Priority)
    memo: bytes = b""
    """A few bytes that belong to the strategy and travel with the URL."""
    why: Why = ()
    revisit: bool = False
    """Queue the URL again even if it has been fetched."""


Kind = Literal["page", "sitemap"]


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """A URL in the frontier."""

    key: int
    """64-bit hash of the canonical URL (``urls.key``)."""
    url: str
    priority: Priority
    memo: bytes = b""
    why: Why = ()
    depth: int = 0
    parent: int | None = None
    """``seq`` of the page on which the URL was found; ``None`` for a seed."""
    anchor: str = ""
    seq: int = 0
    """The URL's number in order of discovery."""
    kind: Kind = "page"
    hops: int = 0
    """Number of redirects that led here."""
    tries: int = 0
    """Number of attempts that have failed so far."""
    validators: tuple[str, str] = ("", "")
    """ETag and Last-Modified of the last fetch, for a conditional request."""
    relevant: bool | None = None
    """Whether the page fetched from it is relevant; ``None`` where it is not counted as a page."""


class Visit(Struct, frozen=True, kw_only=True):
    """The ``step``-th page of the crawl, with its entry and its judgement."""

    step: int
    entry: Entry
    page: Page
    judgement: Judgement


def keep_better(old: Entry, new: Proposal) -> Proposal:
    """Merge two proposals for one URL: keep the better priority, the older one on a tie."""
    if new.priority.better_than(old.priority):
        return new
    return Proposal(url=old.url, priority=old.priority, memo=old.memo, why=old.why, revisit=new.revisit)


# --- what a strategy may know ------------------------------------------------------------------


class Topic(Struct, frozen=True, kw_only=True):
    """The topic of the crawl, as far as a strategy may know it."""

    text: str
    keywords: tuple[str, ...] = ()
    language: str = "en"
    """Code of the language of text and keywords."""
    description: str = ""
    examples: tuple[Page, ...] = ()
    codes: tuple[str, ...] = ()
    rate: Callable[[list[str]], list[float]]
    """Rates how much each of these short texts (anchors, windows) is about the topic, 0 to 1."""
    held_out: tuple[float, ...] = ()
    """Score of each example by a judge trained on the others; empty if there is none."""
    likeness: float | None = None
    """How close these are to the examples' own scores, relative to ordinary text: 0 to about 1."""


class Ranking(Struct, frozen=True, kw_only=True):
    """New priorities for many queued URLs at once; they replace the old ones and their reasons."""

    keys: NDArray[np.int64]
    tiers: NDArray[np.int32]
    scores: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]
    """The parts of the priorities, a column for each name; NaN where a URL has no such part."""

    def why(self, row: int) -> Why:
        """Return the parts of one of them."""
        found = ((name, float(column[row])) for name, column in self.parts.items())
        return tuple((name, value) for name, value in found if math.isfinite(value))


class Known(Struct, frozen=True, kw_only=True):
    """All known URLs as parallel arrays, indexed by ``seq``: what a frontier resumes from."""

    keys: NDArray[np.int64]
    hosts: NDArray[np.int32]
    standings: NDArray[np.int8]
    tiers: NDArray[np.int32]
    scores: NDArray[np.float64]


class Host(Struct, frozen=True, kw_only=True):
    """A host as the catalog stores it. ``number`` is its position in order of discovery, from 0."""

    number: int
    name: str
    delay: float | None = None
    """The host's own Crawl-delay, if robots.txt names one."""
    pages: int = 0
    """Number of its pages fetched."""


class Tally(Struct, frozen=True, kw_only=True):
    """The totals of a crawl over all its runs."""

    pages: int = 0
    """Number of URLs whose last reply with a content of its own was final, each counted once."""
    relevant: int = 0
    """How many of them hold a relevant page."""
    steps: int = 0
    """Number of final replies, revisits included, which is also the step of the last page."""
    unchanged: int = 0
    """Number of revisits that were answered with "not modified"."""
    redirects: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    """Number of abandoned URLs, by kind of failure."""


class Lease(Struct, frozen=True, kw_only=True):
    """A URL to be fetched, and the earliest time its host may be requested."""

    seq: int
    not_before: float


class Changes(Struct, kw_only=True):
    """The changes of an offer in the frontier, for the store to keep."""

    new: list[tuple[int, int, Proposal]] = field(default_factory=list)
    """(seq, number of the host, proposal) of URLs never seen before."""
    changed: list[tuple[int, Proposal, Entry | None]] = field(default_factory=list)
    """(seq, merged proposal, old entry) of known URLs; no old entry where the proposal replaced it."""
    revisits: list[int] = field(default_factory=list)
    """seq of finished URLs that are queued again."""
    hosts: list[Host] = field(default_factory=list)
    """Hosts never seen before."""


class Standing(IntEnum):
    """The state of a known URL. The numbers are stored: never renumber, only add."""

    WAITING = 0
    DONE = 1
    FAILED = 2
    REDIRECTED = 3
    REFUSED = 4
    """Refused by robots.txt, the address guard or the scope."""
