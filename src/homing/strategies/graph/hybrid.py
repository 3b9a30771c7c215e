"""Link structure and content together: seeds that grow in number."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import islice
from math import log1p
from typing import ClassVar, Literal, TypeVar

from msgspec import Struct, convert

from homing.model import Entry, Priority, Proposal, State, Topic, Visit
from homing.parameters import parameter
from homing.strategies.base import Strategy
from homing.strategies.graph.tiers import BEFORE_ALL, NOWHERE, keep_best_of_each, tier_of
from homing.strategies.link_context import LinkContext

Value = TypeVar("Value")

_LINKS_KEPT = 100
"""Maximum links kept of a candidate: 1,000 candidates take some 10 MB."""
_AT_ONCE = 10
"""Maximum candidates chosen in a row if they lead to nothing new."""
_SEEDS_KEPT = 5_000
"""Seed pages remembered, the latest; and ten times as many URLs that they lead to."""
_LEAST = 0.1
"""Added to similarity, so that links count for pages off the topic, too."""
_DIGITS = 4
"""Digits kept of a link's promise."""
_BEHIND = NOWHERE + 1
"""The tier of links that no seed page has."""


class Candidate(Struct):
    """A page that has been fetched and is no seed page yet."""

    similarity: float
    links: dict[str, float]
    """And how good each of them promises to be."""
    to_seeds: int
    from_seeds: int


class Hybrid(Strategy):
    """Follows the links of chosen pages: those well linked with earlier choices that speak of the topic.

    The pages the crawl begins with are its first seed pages. Their links are followed, and each page
    fetched is a candidate. When a seed page's links have been followed, the best candidate becomes a seed
    page: the one with the highest ``(links to seed pages + links from seed pages) · (0.1 + similarity)``.
    The rank of a seed page is that of its links.

    The links of candidates come after those of all seed pages, in case these run out.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(Hybrid(), pages=70) > harvest(BreadthFirst(), pages=70)
    True

    References
    ----------
    Jamali, Sayyadi, Hariri, Abolhassani 2006, A method for focused crawling using combination of link
    structure and content similarity, as described in the paper on the Treasure-Crawler. Similarity is what
    the crawl's judge says. The paper follows no links but those of seed pages; here others go into a second
    tier, because pages that fail would otherwise end the crawl. It counts links as they are, follows all of
    a seed page's before it chooses the next, and does not say in which order. From seeds far from the topic
    the pages with most links win, whatever they speak of, and the order of their links decides: by context
    the area under the recall curve was .42 instead of .24 on development topics of a recorded encyclopedia,
    but .08 instead of .10 on university sites, where windows say little about what is sought.
    """

    name = "hybrid"
    paper: ClassVar[str] = (
        "Jamali et al. 2006, A method for focused crawling using combination of link structure and content "
        "similarity"
    )

    additive: ClassVar[bool] = True

    links: Literal["count", "log"] = parameter(
        'How links to and from seed pages count: "log", by the logarithm, so that pages with very many of '
        'them do not always come first; "count", as in the paper.',
        default="log",
    )
    order: Literal["page", "context"] = parameter(
        'Which links of a seed page come first: as they stand on the "page", or those with the best '
        '"context", as link-context says.',
        default="page",
    )
    session: int = parameter(
        "Maximum pages fetched before the next candidate becomes a seed page; 0 for as many as the last one "
        "has links, as in the paper.",
        default=5,
        within=(0, 1_000_000),
    )
    candidates: int = parameter(
        "How many candidates are kept; the lowest make room.",
        default=1_000,
        within=(10, 1_000_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._candidates: dict[str, Candidate] = {}
        self._seeds: dict[str, None] = {}
        self._led_to: dict[str, int] = {}
        """URLs not fetched yet that seed pages link to, and how many of these do."""
        self._left = 0
        """Pages to fetch before the session ends."""
        self._latest = (-1, "")
        self._offered: dict[str, Proposal] = {}
        self._promised: dict[str, float] = {}
        self._context = LinkContext()

    def begin(self, topic: Topic) -> None:
        self._context.begin(topic)

    def start(self, url: str) -> Proposal:
        """Propose a seed before all links, whatever the rank of their pages."""
        return Proposal(url=url, priority=Priority(tier=BEFORE_ALL, score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        """Add a candidate; at the end of a session, choose the next seed page."""
        url = visit.entry.url
        self._latest, self._offered = (visit.step, url), {}
        self._promised = self._promises(visit)
        self._left = max(0, self._left - 1)
        page = self._candidate(visit)
        if visit.entry.parent is None:
            self._promote(url, page)
        elif url not in self._seeds:
            self._candidates[url] = page
            self._make_room()
        for _ in range(_AT_ONCE):
            if self._candidates and not self._left:
                best = max(self._candidates, key=self._rank)
                self._promote(best, self._candidates.pop(best))

    def _candidate(self, visit: Visit) -> Candidate:
        url = visit.entry.url
        links = {link: promise for link, promise in self._promised.items() if link != url}
        return Candidate(
            similarity=visit.judgement.score,
            links=dict(islice(links.items(), _LINKS_KEPT)),
            to_seeds=sum(each in self._seeds for each in links),
            from_seeds=self._led_to.pop(url, 0),
        )

    def rank(self, candidate: Candidate) -> float:
        """Return how good a seed page it would be."""
        links = candidate.to_seeds + candidate.from_seeds
        return (log1p(links) if self.links == "log" else links) * (_LEAST + candidate.similarity)

    def _rank(self, url: str) -> float:
        return self.rank(self._candidates[url])

    def _promote(self, url: str, page: Candidate) -> None:
        """Make a page a seed page, and begin a session with its links."""
        rank = self.rank(page)
        self._seeds[url] = None
        for link, promise in page.links.items():
            known = self._candidates.get(link)
            if known:
                known.from_seeds += 1
            elif link not in self._seeds:
                self._led_to[link] = self._led_to.get(link, 0) + 1
                priority = Priority(tier=tier_of(rank), score=promise)
                why = (("rank of its seed page", rank), ("link", promise))
                self._offered.setdefault(link, Proposal(url=link, priority=priority, why=why))
                self._left += 1
        for candidate in self._candidates.values():
            candidate.to_seeds += url in candidate.links
        self._left = min(self._left, self.session or self._left)
        _keep_latest(self._seeds, _SEEDS_KEPT)
        _keep_latest(self._led_to, 10 * _SEEDS_KEPT)

    def score(self, visit: Visit) -> Iterable[Proposal]:
        is_latest = self._latest == (visit.step, visit.entry.url)
        offered, promised = (self._offered, self._promised) if is_latest else ({}, self._promises(visit))
        yield from offered.values()
        for url, promise in promised.items():
            if url not in offered:
                why = (("rank of its page", 0.0), ("link", promise))
                yield Proposal(url=url, priority=Priority(tier=_BEHIND, score=promise), why=why)

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return keep_best_of_each(old, new)

    def _promises(self, visit: Visit) -> dict[str, float]:
        """Return what the links of a page promise: all the same, or the best that link-context says."""
        if self.order == "page":
            return dict.fromkeys((link.url for link in visit.page.links), visit.judgement.score)
        promises: dict[str, float] = {}
        for each in self._context.score(visit):
            promise = round(each.priority.score, _DIGITS)
            promises[each.url] = max(promise, promises.get(each.url, 0.0))
        return promises

    def _make_room(self) -> None:
        """Drop the lowest candidates, many at once, as finding them is slow."""
        if len(self._candidates) > self.candidates:
            for url in heapq.nsmallest(max(1, self.candidates // 10), self._candidates, key=self._rank):
                del self._candidates[url]

    def state(self) -> State:
        return {
            "candidates": [
                [url, each.similarity, list(each.links.items()), each.to_seeds, each.from_seeds]
                for url, each in self._candidates.items()
            ],
            "seeds": list(self._seeds),
            "led_to": list(self._led_to.items()),
            "left": self._left,
        }

    def restore(self, state: State) -> None:
        saved = convert(dict(state), _Saved)
        self._candidates = {
            url: Candidate(similarity, dict(links), to_seeds, from_seeds)
            for url, similarity, links, to_seeds, from_seeds in saved.candidates
        }
        self._seeds = dict.fromkeys(saved.seeds)
        self._led_to = dict(saved.led_to)
        self._left = saved.left


class _Saved(Struct):
    candidates: list[tuple[str, float, list[tuple[str, float]], int, int]]
    seeds: list[str]
    led_to: list[tuple[str, int]]
    left: int


def _keep_latest(urls: dict[str, Value], size: int) -> None:
    while len(urls) > size:
        del urls[next(iter(urls))]
