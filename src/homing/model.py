"""The values that travel through a crawl.

Parts of the crawler never call each other. They hand these values on, and only the engine knows who
gets which (see ``crawler/engine.py``). All of them are frozen: what a part has been given cannot change
behind its back, and the same visit always means the same thing. A page makes some two hundred of them, so
they are msgspec's structs, a tenth of the price of frozen dataclasses; ``msgspec.structs.replace`` gives
one with another value in it.
"""

from __future__ import annotations

import math
from base64 import b32encode
from collections.abc import Callable, Mapping
from enum import IntEnum
from hashlib import sha1
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Why = tuple[tuple[str, float], ...]
"""The named parts of a score, in the order a person should read them."""

State = Mapping[str, object]
"""What a strategy saves of itself: plain data that survives a trip through JSON."""


# --- what is read -----------------------------------------------------------------------------


class Link(Struct, frozen=True, kw_only=True, gc=False):
    """A link as its page shows it: where it leads, and what stands around it."""

    url: str
    anchor: str = ""
    """The words a reader clicks on; the alternative text where the link is an image."""
    around: str = ""
    """Twenty words around the link, the anchor among them."""
    block: str = ""
    """The paragraph that holds the link, or the whole list if it is a list item."""
    headings: tuple[str, ...] = ()
    """The headings the link stands under, nearest first, the main heading last."""
    path: str = ""
    """Tag names from the root to the link, such as ``html/body/div.nav/ul/li/a``."""
    rel: str = ""
    """The ``rel`` attribute in lower case; ``refresh``, ``frame``, ``sitemap`` ... where it is no ``<a>``."""
    place: int = 0
    """Its number among the links of the page, in document order."""


class Page(Struct, frozen=True, kw_only=True):
    """What a reply says once it has been parsed."""

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
    """The address the page itself says it should be known by, if it says so."""
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
    asked_at: float = 0.0
    """When the request was sent, in seconds since 1970."""
    took: float = 0.0
    truncated: str = ""
    """Why the body is not whole, in WARC's words (``length``, ``time``, ``disconnect``); empty if it is."""
    request: tuple[tuple[str, str], ...] = ()
    """The headers that were sent."""
    address: str = ""
    """The IP address that answered."""
    rest: float | None = None
    """How long the host asked to be left alone, in seconds, if it did (``Retry-After``)."""

    @property
    def has_page(self) -> bool:
        """Whether the status says that the body is what was requested."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether it leads elsewhere, and says where."""
        return self.status in REDIRECTS and bool(self.header("Location"))

    def header(self, name: str) -> str:
        """The first header of that name, or an empty string."""
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
    """A page that did not come. It happens every minute on the web, so it is a value, no exception."""

    url: str
    kind: str
    """``dns``, ``connect``, ``tls``, ``timeout``, ``protocol``, ``address``, ``robots``, ``redirects`` ..."""
    detail: str = ""
    retry_in: float | None = None
    """Seconds after which asking again makes sense; ``None`` if it does not."""
    rest: float | None = None
    """How long the host should be left alone, in seconds, if longer than its delay."""
    asked: bool = True
    """Was a request sent at all? Not so if robots.txt or the address guard forbade it."""


class RobotsRecord(Struct, frozen=True, kw_only=True):
    """What a host said when asked for its robots.txt; kept in the catalog for a day at most."""

    origin: str
    """Scheme, host and port, such as ``https://example.org``."""
    status: int
    """HTTP status; 0 if the host could not be reached."""
    text: str = ""
    fetched_at: float = 0.0
    """Seconds since 1970."""


class Wait(Struct, frozen=True, kw_only=True):
    """The host had to be asked something else first (its robots.txt): ask for the page again later."""

    url: str
    robots: RobotsRecord | None = None
    """What was learnt, for the catalog to keep."""
    sitemaps: tuple[str, ...] = ()
    """Sitemaps that robots.txt named."""
    delay: float | None = None
    """The host's own Crawl-delay in seconds, already capped, if it has one."""
    rest: float | None = None
    """How long the host should be left alone, in seconds, if longer than its delay."""


# --- what is thought of it --------------------------------------------------------------------


class Judgement(Struct, frozen=True, kw_only=True):
    """How much a page is about the topic: ``relevant`` means a score of one half or more."""

    score: float
    relevant: bool
    judge: str
    why: Why = ()
    """The words that decided, heaviest first."""


class Reading(Struct, frozen=True, kw_only=True):
    """A page as a worker process has parsed and judged it."""

    page: Page
    judgement: Judgement | None
    """``None`` of a sitemap, which is no page."""
    version: int = 0
    """Which of the crawl's judges it was; see ``crawler/reader.py``."""


class Priority(Struct, frozen=True, kw_only=True, gc=False):
    """Who is next: the lower tier first, then the higher score, then the older URL."""

    tier: int = 0
    score: float = 0.0

    def better_than(self, other: Priority) -> bool:
        return self.tier < other.tier or (self.tier == other.tier and self.score > other.score)


class Proposal(Struct, frozen=True, kw_only=True, gc=False):
    """A strategy's word on one URL: how soon, and why."""

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
    """How many redirects led here."""
    tries: int = 0
    """How many attempts have failed so far."""
    validators: tuple[str, str] = ("", "")
    """ETag and Last-Modified of the last fetch, for a conditional request."""


class Visit(Struct, frozen=True, kw_only=True):
    """One page met by the crawl: the ``step``-th, under this entry, with this judgement."""

    step: int
    entry: Entry
    page: Page
    judgement: Judgement


def keep_better(old: Entry, new: Proposal) -> Proposal:
    """The usual merge of two words on one URL: the better priority wins, the older on a tie."""
    if new.priority.better_than(old.priority):
        return new
    return Proposal(url=old.url, priority=old.priority, memo=old.memo, why=old.why, revisit=new.revisit)


# --- what a strategy may ask ------------------------------------------------------------------


class Topic(Struct, frozen=True, kw_only=True):
    """What the crawl is about, as far as a strategy may know it."""

    text: str
    keywords: tuple[str, ...] = ()
    language: str = "en"
    """Code of the language that text and keywords are in."""
    description: str = ""
    examples: tuple[Page, ...] = ()
    codes: tuple[str, ...] = ()
    rate: Callable[[list[str]], list[float]]
    """How much each of these short texts (anchors, windows) speaks of the topic, 0 to 1."""
    held_out: tuple[float, ...] = ()
    """The score of each example by a judge that was taught the others; empty where there is no telling."""
    likeness: float | None = None
    """How near these are to what the examples score themselves, from ordinary text on: 0 to about 1."""


class Ranking(Struct, frozen=True, kw_only=True):
    """New priorities for many waiting URLs at once; they replace the old ones, and so do the reasons."""

    keys: NDArray[np.int64]
    tiers: NDArray[np.int32]
    scores: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]
    """What the priorities are made of, a column for each name; NaN where a URL has no such part."""

    def why(self, row: int) -> Why:
        """The parts of one of them."""
        found = ((name, float(column[row])) for name, column in self.parts.items())
        return tuple((name, value) for name, value in found if math.isfinite(value))


class Known(Struct, frozen=True, kw_only=True):
    """Every known URL as parallel arrays, at place ``seq``: what a frontier wakes up with."""

    keys: NDArray[np.int64]
    hosts: NDArray[np.int32]
    standings: NDArray[np.int8]
    tiers: NDArray[np.int32]
    scores: NDArray[np.float64]


class Host(Struct, frozen=True, kw_only=True):
    """A host as the catalog remembers it. ``number`` is its place in order of discovery, from 0."""

    number: int
    name: str
    delay: float | None = None
    """Its own Crawl-delay, if robots.txt names one."""
    asked: int = 0
    """How many pages it has given."""


class Tally(Struct, frozen=True, kw_only=True):
    """What a crawl has done so far, over all its runs."""

    pages: int = 0
    """Final HTTP responses; also the step of the last page."""
    relevant: int = 0
    redirects: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    """URLs that were given up, by kind of failure."""


class Lease(Struct, frozen=True, kw_only=True):
    """A URL to be fetched, and the earliest moment its host may be requested."""

    seq: int
    not_before: float


class Changes(Struct, kw_only=True):
    """What an offer has changed in the frontier, for the store to keep."""

    new: list[tuple[int, int, Proposal]] = field(default_factory=list)
    """(seq, number of the host, proposal) of URLs never seen before."""
    changed: list[tuple[int, Proposal, Entry | None]] = field(default_factory=list)
    """(seq, merged proposal, old entry) of known URLs; no old entry where the proposal simply won."""
    revisits: list[int] = field(default_factory=list)
    """seq of finished URLs that are queued again."""
    hosts: list[Host] = field(default_factory=list)
    """Hosts never seen before."""


class Standing(IntEnum):
    """Where a known URL stands. The numbers are stored: never renumber, only add."""

    WAITING = 0
    DONE = 1
    FAILED = 2
    REDIRECTED = 3
    REFUSED = 4
    """robots.txt, the address guard or the scope said no."""
