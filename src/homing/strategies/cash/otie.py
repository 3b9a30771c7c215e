"""Cash that flows to what speaks of the topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import copysign
from typing import ClassVar, Literal

from msgspec import Struct, convert

from homing.model import Proposal, State, Topic, Visit
from homing.parameters import parameter
from homing.strategies.cash.flow import CashFlow
from homing.strategies.cash.ledger import Part, split

_CEILING = 1e200
"""Gained cash from which on equation 3, read as a factor, no longer adds any: relevant pages that link to
each other would double it for ever."""
_COUNTED = 2_000
"""How many links are counted at once to find those of the navigation."""
_PAGES_FIRST = 20
"""Pages before any link is taken for navigation."""


class Otie(CashFlow):
    """Moves cash along links, more of it along links that speak of the topic.

    As in ``opic`` a page gives all it holds to the pages it links to, and the richest URL is next. But each
    link gets a share that goes by its similarity to the topic: what was judged of its page if that has been
    fetched, else what link-context predicts. And before a page hands on its cash, it is raised or lowered by
    how relevant the page turned out to be.

    Cash that reaches a page already fetched stays there until the richest of them hands it on.

    It needs seeds on the topic. From others cash is divided at each step, and the crawl stays near its seeds
    until it finds a relevant page, which brings cash of its own.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(Otie(), pages=70) > harvest(BreadthFirst(), pages=70)
    True

    References
    ----------
    Guan, Wang, Chen, Bu, Wang 2008, Guide focused crawler efficiently and effectively using on-line topical
    importance estimation. Its equation 3 is lost in the text we have, which speaks of "the absolute degree
    to which cash is altered" and has ``a > 0``: we read it as a sum. A sum would take more from a page off
    the topic than it ever holds, so that its links got nothing; we take nothing. As a factor it takes 85 %
    at each such page, and a crawl from seeds off the topic is breadth-first.

    What we do otherwise: similarities are raised to a power, or the many links that say nothing would share
    most of the cash (half of all links of a recorded encyclopedia have .07, those to targets .65, and there
    are a hundred times as many of the former). A fetched page hands on again what reaches it along the links
    it had, which costs no request; every 20 visits, as the paper gives no period. Links repeated on a page
    count once and those of the navigation not at all, or most cash would circle there. What a page held that
    could not be fetched, or that leads nowhere, is shared out among URLs found lately.
    """

    name = "otie"
    paper: ClassVar[str] = (
        "Guan, Wang, Chen, Bu, Wang 2008, Guide focused crawler efficiently and effectively using on-line "
        "topical importance estimation"
    )

    revision: Literal["sum", "factor"] = parameter(
        'What becomes of a page\'s cash when it turns out to be relevant. "sum": some is added, however '
        'much it held. "factor": what it held is multiplied, up for a relevant page and down for others.',
        default="sum",
    )
    strength: float = parameter(
        "How much is added, or by how much cash is raised or lowered, at most, 0 to 1 (the paper's a).",
        default=0.85,
        within=(0, 1),
    )
    flatness: float = parameter(
        "How little a relevance near one half matters (the paper's d).",
        default=3.0,
        within=(0.01, 100),
    )
    page_weight: float = parameter(
        "How much the page counts in a predicted similarity, 0 to 1; the words around the link have the "
        "rest (the paper's beta).",
        default=0.25,
        within=(0, 1),
    )
    sharpness: float = parameter(
        "Similarities to this power are what cash is split by; 1 as in the paper.",
        default=3.0,
        within=(0.1, 10),
    )
    floor: float = parameter(
        "The least similarity, so that no link starves.",
        default=0.001,
        within=(1e-9, 1),
    )
    navigation: float = parameter(
        "Links found on more than this share of the pages get no cash; 1 for none such.",
        default=0.5,
        within=(0.01, 1),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._pages = 0
        self._counts: dict[str, int] = {}

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate

    def learn(self, visit: Visit) -> None:
        similarities = self.similarities(visit)
        self._count(similarities)
        links = self.weights(similarities)
        self.spend(self.cash.collect(visit, links), visit.judgement.score, links, "links")
        if self.cash.visits % self.recrawl_every == 0:
            self.recrawl_richest()

    def spend(self, cash: float, relevance: float, links: Mapping[str, float], part: Part) -> None:
        """Revise the cash of a page (equation 3) and split it over its links (equation 1)."""
        revised = self.revised(cash, relevance)
        self.cash.gained += revised - cash
        weights = dict(links)
        for url in links:
            judged = self.cash.relevance(url)
            if judged is not None:  # equation 2: of a page that has been fetched, what was judged counts
                weights[url] = self.weight(judged)
        whole = sum(weights.values())
        if not whole:
            self.cash.virtual += revised
        self.cash.pay({url: revised * weight / whole for url, weight in weights.items()}, part)

    def revised(self, cash: float, relevance: float) -> float:
        """Return a page's cash raised or lowered by its relevance (equation 3)."""
        lean = 2 * relevance - 1
        change = self.strength * copysign(abs(lean) ** self.flatness, lean)
        if self.revision == "sum":
            return cash + max(0.0, change)
        return cash * (1 + change) / (1 + self.strength if self.gained > _CEILING else 1.0)

    def similarities(self, visit: Visit) -> dict[str, float]:
        """Predict how similar to the topic the pages are that a page links to (equation 2)."""
        links = {link.url: link for link in visit.page.links if link.url != visit.entry.url}
        page = self.page_weight * visit.judgement.score
        ratings = self._rate([link.around for link in links.values()])
        return {
            url: page + (1 - self.page_weight) * rating for url, rating in zip(links, ratings, strict=True)
        }

    def weights(self, similarities: Mapping[str, float]) -> dict[str, float]:
        """Return by what cash is split over links not fetched yet; those of the navigation get none."""
        most = self._pages * self.navigation if self._pages >= _PAGES_FIRST else self._pages
        counts = self._counts
        return {
            url: self.weight(similarity)
            for url, similarity in similarities.items()
            if counts.get(url, 0) <= most
        }

    def weight(self, similarity: float) -> float:
        """Return the weight of a link by its similarity, or by the relevance of its page if it is known."""
        return max(self.floor, float(similarity**self.sharpness))

    def score(self, visit: Visit) -> Iterable[Proposal]:
        paid = self.cash.payments(visit)
        if paid is None:  # a sitemap, or a visit that is re-scored: what its links would be paid
            cash = self.revised(visit.entry.priority.score, visit.judgement.score)
            return split(cash, self.weights(self.similarities(visit)))
        return paid

    def _count(self, urls: Iterable[str]) -> None:
        """Count the links of a page. Rare ones are forgotten: those of the navigation are not among them."""
        self._pages += 1
        for url in urls:
            self._counts[url] = self._counts.get(url, 0) + 1
        if len(self._counts) > _COUNTED:
            self._counts = {url: count - 1 for url, count in self._counts.items() if count > 1}

    def state(self) -> State:
        return {**super().state(), "pages": self._pages, "counts": self._counts}

    def restore(self, state: State) -> None:
        super().restore(state)
        saved = convert(dict(state), _Saved)
        self._pages, self._counts = saved.pages, saved.counts


class _Saved(Struct):
    """What is saved besides the cash."""

    pages: int
    counts: dict[str, int]
