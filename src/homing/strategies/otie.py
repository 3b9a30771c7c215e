"""Cash that flows to what speaks of the topic."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import copysign
from typing import ClassVar

from msgspec import Struct, convert

from homing.model import State, Topic, Visit
from homing.registry import within
from homing.strategies.cash import CashFlow, Recrawl

_CEILING = 1e200
"""Gained cash from which on equation 3 no longer adds any: relevant pages that link to each other would
double it for ever."""
_COUNTED = 2_000
"""How many links are counted at once to find those of the navigation."""
_PAGES_FIRST = 20
"""Pages before any link is taken for navigation."""
_LINKS_FIRST = 100
"""Links before any similarity is called usual."""
_USUAL, _HIGH = 0.9, 0.995
"""Nine of ten links are usual, one in two hundred is as good as can be. On development topics of a recorded
encyclopedia a tenth of the crawl found .39 of the targets so, .30 with .5 and .99, .17 uncalibrated."""
_BINS = 200


class Otie(CashFlow):
    """Moves cash along links, more of it along links that speak of the topic.

    As in ``opic`` a page gives all it holds to the pages it links to, and the richest URL is next. But each
    link gets a share that goes by its similarity to the topic: what was judged of its page if that has been
    fetched, else what link-context predicts. And before a page hands on its cash, it is raised or lowered by
    how relevant the page turned out to be.

    Cash for pages already fetched waits there until the richest of them hands it on. As cash is divided at
    each step and at most doubled, the crawl stays near its seeds: it has more of the well-linked pages than
    link-context, and fewer of those far away. Where all targets are far, as in the little web of the
    example, it can be behind ``random``.

    Parameters
    ----------
    strength
        How much a page's own relevance raises or lowers its cash before it is handed on, 0 to 1 (the
        paper's a).
    flatness
        How little a relevance near one half matters (the paper's d).
    page_weight
        How much the page counts in a predicted similarity, 0 to 1; the words around the link have the rest
        (the paper's beta).
    calibrate
        Measure predicted similarities between what is usual in this crawl (0) and what few links reach (1),
        because they lie close together and hardly bias the split as they are.
    floor
        The least similarity, so that no link starves.
    navigation
        Links found on more than this share of the pages get no cash; 1 for none such.
    recrawl
        How cash that waits at a page already fetched moves on: ``virtual``, along the links it had;
        ``fetch``, by fetching the page again as in the paper; ``off``, not at all.
    recrawl_every
        Visits after which the richest fetched page hands on what it holds.
    accounts
        Fetched pages whose cash and links are kept; what the poorer ones hold is shared out among URLs
        found lately.

    Examples
    --------
    >>> from homing.checks.replays import replay
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies import BreadthFirst
    >>> web = toy_web(seed=1)
    >>> replay(web, Otie(), pages=70).harvest > replay(web, BreadthFirst(), pages=70).harvest
    True

    References
    ----------
    Guan, Wang, Chen, Bu, Wang 2008, Guide focused crawler efficiently and effectively using on-line topical
    importance estimation. What we do otherwise: a fetched page hands on again what reaches it along the
    links it had, which costs no request; every 20 visits, as the paper gives no period. Equation 3 is read
    as a factor, the only reading in which cash never falls below 0. Links repeated on a page count once and
    those of the navigation not at all, or most cash would circle there. Similarities are calibrated: as
    they are, the split is nearly even and the crawl breadth-first. Beyond 1e200 equation 3 is divided by its
    greatest value, so that cash stays a number. What a page held that did not come, or that leads nowhere,
    is shared out among URLs found lately.
    """

    name: str = "otie"
    paper: ClassVar[str] = (
        "Guan, Wang, Chen, Bu, Wang 2008, Guide focused crawler efficiently and effectively using on-line "
        "topical importance estimation"
    )

    def __init__(
        self,
        *,
        strength: float = 0.85,
        flatness: float = 3.0,
        page_weight: float = 0.25,
        calibrate: bool = True,
        floor: float = 0.001,
        navigation: float = 0.5,
        recrawl: Recrawl = "virtual",
        recrawl_every: int = 20,
        accounts: int = 10_000,
    ) -> None:
        super().__init__(recrawl=recrawl, recrawl_every=recrawl_every, accounts=accounts)
        self.strength = within(self, "strength", strength, 0, 1)
        self.flatness = within(self, "flatness", flatness, 0.01, 100)
        self.page_weight = within(self, "page_weight", page_weight, 0, 1)
        self.calibrate = calibrate
        self.floor = within(self, "floor", floor, 1e-9, 1)
        self.navigation = within(self, "navigation", navigation, 0.01, 1)
        self._pages = 0
        self._counts: dict[str, int] = {}
        self._usual = [0.0] * _BINS

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate

    # -- equation 2

    def predict(self, visit: Visit) -> dict[str, float]:
        links = {link.url: link for link in visit.page.links if link.url != visit.entry.url}
        page = self.page_weight * visit.judgement.score
        ratings = self._rate([link.around for link in links.values()])
        return {
            url: page + (1 - self.page_weight) * rating for url, rating in zip(links, ratings, strict=True)
        }

    def notice(self, predicted: Mapping[str, float]) -> None:
        self._pages += 1
        self._count(predicted)
        for similarity in predicted.values():
            self._usual[min(int(similarity * _BINS), _BINS - 1)] += 1

    def weigh(self, predicted: dict[str, float]) -> dict[str, float]:
        usual, high = self._scale()
        most = self._pages * self.navigation if self._pages >= _PAGES_FIRST else self._pages
        counts = self._counts
        return {
            url: min(1.0, max(self.floor, (similarity - usual) / (high - usual)))
            for url, similarity in predicted.items()
            if counts.get(url, 0) <= most
        }

    def worth(self, relevance: float) -> float:
        return max(self.floor, relevance)

    # -- equation 3

    def revised(self, cash: float, relevance: float) -> float:
        lean = 2 * relevance - 1
        factor = 1 + self.strength * copysign(abs(lean) ** self.flatness, lean)
        return cash * factor / (1 + self.strength if self.gained > _CEILING else 1.0)

    # -- what is usual in this crawl

    def _scale(self) -> tuple[float, float]:
        """The similarities that count as 0 and as 1."""
        seen = sum(self._usual)
        if not self.calibrate or seen < _LINKS_FIRST:
            return 0.0, 1.0
        low, high = _quantile(self._usual, seen * _USUAL), _quantile(self._usual, seen * _HIGH)
        return low, max(high, low + 1 / _BINS)

    def _count(self, urls: Iterable[str]) -> None:
        """Count links, and forget the rare ones: what stands on many pages cannot be among these."""
        for url in urls:
            self._counts[url] = self._counts.get(url, 0) + 1
        if len(self._counts) > _COUNTED:
            self._counts = {url: count - 1 for url, count in self._counts.items() if count > 1}

    def state(self) -> State:
        return {**super().state(), "pages": self._pages, "counts": self._counts, "usual": self._usual}

    def restore(self, state: State) -> None:
        super().restore(state)
        saved = convert(dict(state), _Saved)
        self._pages, self._counts, self._usual = saved.pages, saved.counts, saved.usual


class _Saved(Struct):
    """What is saved besides the cash."""

    pages: int
    counts: dict[str, int]
    usual: list[float]


def _quantile(bins: list[float], wanted: float) -> float:
    """The value below which so many of the counted ones lie."""
    return bisect_left(list(accumulate(bins)), wanted) / len(bins)
