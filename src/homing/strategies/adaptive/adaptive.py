"""The default strategy: learns, while it crawls, which features of a link mean a page on the topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.errors import OldStateError
from homing.model import Link, Priority, Proposal, Ranking, State, Topic, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.adaptive.features import FEATURES, features
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.link_table import SCALE, LinkTable
from homing.strategies.adaptive.regression import Regression
from homing.strategies.adaptive.similar_names import SimilarNames
from homing.strategies.adaptive.threads import one_thread
from homing.strategies.adaptive.tokens import shares
from homing.strategies.adaptive.topic_vector import TopicVector
from homing.strategies.base import Strategy
from homing.text.embeddings import Rows
from homing.urls import key

_LOOK_EVERY = 10
_GROWTH = 0.04
_BEST = 5_000
"""Every ten pages, or after 4 % more pages if that is more, the best ``_BEST`` URLs of the frontier are
re-scored: the cost of a page does not grow with the frontier."""
_AT_ONCE = 2_000
"""URLs whose features are computed in one go: the arrays fit into the processor's cache."""
_REFINE, _BACKGROUND = 1.5, 400
"""The topic vector is refined when there are 1.5 times the pages, but after 400 pages at the latest, and
from the latest 400 pages."""
_NAMED_PAGES = 500
"""The latest pages whose names are compared with those of frontier URLs."""
_LYING = 10_000
"""The latest pages that are counted in their folders."""
_LATER_EVERY = 4
"""Once it remembers as many training examples as it may, one page in four becomes another."""
_SHOWN = 3
"""Maximum features named in a reason, the heaviest."""
_FORM = 5
"""Version of the saved state."""
_NO_PAGES = 0.1
"""Expected score before any page has been judged."""

Floats = NDArray[np.float64]


class Adaptive(Strategy):
    """Learns which features of a link mean a page on the topic: its words, place, neighbours and page.

    The features of a URL come from the links to it: the words around them, how relevant pages with such
    words are, pages with similar names or in the same folder, the pages the links stand on, and how relevant
    those behind the links next to them were, in the same block, at the same place of other pages. A
    regression weighs them: at first by prior weights, fitted on other webs, and more and more by the crawl's
    own pages, each of them a training example. Every few pages the frontier is re-scored. The score of a
    page is half the judge's; the other half is its likeness to the topic vector, which the crawl's own pages
    refine.

    Examples of the topic need not be fetched: their links give features from the first page on, and a page
    that links to one counts as a find. Where the crawl meets a link to an example, it continues with that
    page's own links.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(Adaptive(), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    None: it is Homing's own. Scoring the words around a link is link-context (Pant, Srinivasan 2006); credit
    for siblings and tag paths is the idea of navigational rank in one hop. docs/adaptive.md has its results.
    """

    name = "adaptive"
    rerank_every = _LOOK_EVERY

    _learns: bool = parameter(  # ``learn`` is the method that every strategy has
        "Learn from the crawl's own pages how much each feature counts; otherwise the prior weights stay.",
        default=True,
        alias="learn",
    )
    pull: float = parameter(
        "How many pages it takes to outweigh the prior weights.",
        default=400.0,
        within=(0.1, 1_000_000),
    )
    remember: int = parameter(
        "How many of the latest pages it learns from.",
        default=1_000,
        within=(20, 100_000),
    )
    links: int = parameter(
        "How many of the latest links it keeps, at some 100 bytes each.",
        default=200_000,
        within=(1_000, 100_000_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._link_table = LinkTable(most=self.links)
        self._regression = Regression(pull=self.pull, remember=self.remember)
        self._topic = TopicVector(remember=min(self.remember, _BACKGROUND))
        self._similar_names = SimilarNames(remember=_NAMED_PAGES)
        self._folders = Folders(remember=_LYING)
        self._refined_at = 0
        self._seen = 0
        self._total = 0
        """The sum of all scores so far, in whole parts of ``SCALE``: it does not depend on their order."""
        self._ranked_at = 0
        self._in_hand: Mapping[str, tuple[Link, ...]] = {}
        """The links of the examples, by URL."""
        self._reached: dict[str, int] = {}
        """The step at which the crawl met a link to each example."""

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate
        self._topic.begin(topic)
        self._similar_names.begin(topic)
        self._folders.begin(topic)
        self._in_hand = {page.url: page.links for page in topic.examples}
        for page in topic.examples:
            self._link_table.judge(key(page.url), 1.0)
            self._link_table.add_page(key(page.url), page, self._rate)

    def start(self, url: str) -> Proposal:
        return Proposal(url=url, priority=Priority(tier=-1, score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        number, score = visit.entry.key, visit.judgement.score
        is_new = not self._link_table.is_judged(number)  # neither an example nor a page fetched before
        if is_new:
            score = self._topic.add(number, visit.page, score)
        else:
            score = self._topic.refined(visit.page, score)
        if self._is_training_example():  # first, or the page itself would count in its own features
            self._add_training_example(number, score)
        if is_new:
            self._similar_names.add(number, visit.page.title, self._named(number), score=score)
            self._folders.add(number, visit.entry.url, score=score)
        self._seen += 1
        self._total += round(SCALE * score)
        self._link_table.judge(number, score)
        if visit.entry.url not in self._in_hand:
            self._link_table.add_page(number, visit.page, self._rate)
        self._meet_examples(visit.page.links, visit.step)

    def score(self, visit: Visit) -> Iterator[Proposal]:
        reached = (self._in_hand[url] for url, step in self._reached.items() if step == visit.step)
        urls = list(dict.fromkeys(link.url for links in (visit.page.links, *reached) for link in links))
        places = self._link_table.places_of([key(url) for url in urls])
        yield from self._proposals(
            [url for url, place in zip(urls, places, strict=True) if place >= 0], places[places >= 0]
        )
        for url in filter(self._in_hand.__contains__, urls):
            yield Proposal(url=url, priority=Priority(score=0.0), why=(("in hand", 1.0),))

    def rerank(self, view: View) -> Ranking | None:
        if self._seen < self._ranked_at + _GROWTH * self._seen:
            return None
        self._ranked_at = self._seen
        with one_thread():
            return self._ranking(view)

    def _ranking(self, view: View) -> Ranking | None:
        """Refine the topic, fit the weights and re-score the best of the frontier."""
        if self._seen >= min(_REFINE * self._refined_at, self._refined_at + _BACKGROUND):
            self._refine()
        if self._learns and len(self._regression):
            self._regression.fit()
        waiting = view.waiting()
        if len(waiting) > _BEST:
            _, scores = view.priorities(waiting)
            waiting = waiting[np.sort(np.argpartition(-scores, _BEST)[:_BEST])]
        keys = view.keys(waiting)
        places = self._link_table.places_of(keys)
        keys, places = keys[places >= 0], places[places >= 0]
        if not len(keys):
            return None
        scores, prior, parts = self._regression.of(self._features(places))
        least = np.partition(np.abs(parts), -_SHOWN, axis=1)[:, -_SHOWN]
        heaviest = np.where(np.abs(parts) >= least[:, None], parts, np.nan).T
        named = {"prior": prior, "learnt": scores - prior, **dict(zip(FEATURES, heaviest, strict=True))}
        return Ranking(keys=keys, tiers=np.zeros(len(keys), np.int32), scores=scores, parts=named)

    # -- learning

    def _is_training_example(self) -> bool:
        """Return whether to learn from the next page: from each at first, later from some."""
        return self._learns and (len(self._regression) < self.remember or self._seen % _LATER_EVERY == 0)

    def _add_training_example(self, number: int, score: float) -> None:
        """Add what was known of a page before it was fetched, and the score it got."""
        place = self._link_table.places_of([number])
        if place[0] < 0:  # a seed, or a page fetched before
            return
        links = self._link_table.links_to(place)[:, 0]
        words, owners = self._link_table.words(links)
        values = shares(words, owners) / len(links)
        with one_thread():
            row = self._features(place)[0]
        self._regression.add(number, row, score, words, values)

    def _named(self, number: int) -> Rows:
        """Return what the links to a fetched page call it."""
        place = self._link_table.places_of([number])
        if place[0] < 0:
            return np.zeros(0, np.uint32)
        return self._link_table.names(self._link_table.links_to(place)[:, 0])[0]

    def _refine(self) -> None:
        """Refine the topic vector, and re-score earlier pages by it."""
        self._refined_at = self._seen
        keys, scores = self._topic.refine()
        self._total += self._link_table.rescore(keys, scores)
        self._regression.rescore(keys, scores)
        self._similar_names.rescore(keys, scores)
        self._folders.rescore(keys, scores)

    def _meet_examples(self, links: Sequence[Link], step: int) -> None:
        """Note the examples that a page links to, and those that these link to."""
        shown = list(links)
        for link in shown:
            if link.url in self._in_hand and link.url not in self._reached:
                self._reached[link.url] = step
                shown.extend(self._in_hand[link.url])

    def _features(self, places: NDArray[np.int64]) -> Floats:
        average = self._total / SCALE / self._seen if self._seen else _NO_PAGES
        return np.concatenate(
            [
                features(
                    self._link_table,
                    places[start : start + _AT_ONCE],
                    self._regression.words,
                    self._topic.co_occurrence,
                    self._similar_names,
                    self._folders,
                    average=average,
                )
                for start in range(0, len(places), _AT_ONCE)
            ]
        )

    # -- proposals

    def _proposals(self, urls: list[str], places: NDArray[np.int64]) -> Iterator[Proposal]:
        if not urls:
            return
        with one_thread():
            scores, prior, parts = self._regression.of(self._features(places))
        heaviest = np.argsort(-np.abs(parts), axis=1)[:, :_SHOWN]
        shown = np.take_along_axis(parts, heaviest, axis=1).tolist()
        for url, score, first, named, values in zip(
            urls, scores.tolist(), prior.tolist(), heaviest.tolist(), shown, strict=True
        ):
            named_features = zip(map(FEATURES.__getitem__, named), values, strict=True)
            why = (("prior", first), ("learnt", score - first), *named_features)
            yield Proposal(url=url, priority=Priority(score=score), why=why)

    # -- state

    def state(self) -> State:
        return {
            "form": _FORM,
            "seen": self._seen,
            "total": self._total,
            "ranked_at": self._ranked_at,
            "sharpened_at": self._refined_at,
            "topic": dict(self._topic.state()),
            "kindred": dict(self._similar_names.state()),
            "folders": dict(self._folders.state()),
            "reached": dict(self._reached),
            "evidence": dict(self._link_table.state()),
            "expectation": dict(self._regression.state()),
        }

    def restore(self, state: State) -> None:
        if state.get("form") != _FORM:
            raise OldStateError(
                "what the crawl has learned was saved by another version; resume the crawl first"
            )
        self._seen = convert(state["seen"], int)
        self._total = convert(state["total"], int)
        self._ranked_at = convert(state["ranked_at"], int)
        self._refined_at = convert(state["sharpened_at"], int)
        self._topic.restore(convert(state["topic"], dict[str, object]))
        self._similar_names.restore(state["kindred"])
        self._folders.restore(state["folders"])
        self._reached = convert(state["reached"], dict[str, int])
        self._link_table.restore(convert(state["evidence"], dict[str, object]))
        self._regression.restore(convert(state["expectation"], dict[str, object]))
