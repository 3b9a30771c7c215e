"""Learns, while it crawls, which signs of a link mean a page on the topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.errors import OldStateError
from homing.model import Link, Priority, Proposal, Ranking, State, Topic, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.adaptive.features import SIGNS, signs
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.link_table import SCALE, Evidence
from homing.strategies.adaptive.regression import Expectation
from homing.strategies.adaptive.similar_names import Kindred
from homing.strategies.adaptive.threads import one_thread
from homing.strategies.adaptive.tokens import shares
from homing.strategies.adaptive.topic_vector import SharpTopic
from homing.strategies.base import Strategy
from homing.text.embeddings import Rows
from homing.urls import key

_LOOK_EVERY = 10
_GROWTH = 0.04
_BEST = 5_000
"""Every ten pages, or every twenty-fifth of the pages so far if that is more, so many waiting URLs are
weighed anew, the best: the cost of a page does not grow with the frontier."""
_AT_ONCE = 2_000
"""URLs whose signs are gathered in one go: what that takes fits into the processor's cache."""
_SHARPEN, _BACKGROUND = 1.5, 400
"""The topic is seen anew when there are so many times the pages, but after so many at the latest, and by the
latest so many of them."""
_KINDRED = 500
"""The latest pages whose names are compared with those of URLs that wait."""
_LYING = 10_000
"""The latest pages of which it is known in which folders they lie."""
_LATER_EVERY = 4
"""Of the pages that come when it has learnt from as many as it remembers, one in so many is a lesson."""
_SHOWN = 3
"""Signs that a reason names, the heaviest."""
_FORM = 5
"""Of what is saved: another number where it has another shape."""
_NO_PAGES = 0.1
"""What a page is expected to be before there is any."""

Floats = NDArray[np.float64]


class Adaptive(Strategy):
    """Learns which signs of a link mean a page on the topic: words, places, neighbours, the pages it is on.

    Every link to a URL leaves signs: the words around it, the pages that have such words, those that are
    called something alike, those that lie in the same folder, the page it stands on, and what has come of the
    links next to it, in the same block, at the same place of other pages. At first they count as they do on
    most webs; every page that comes is a lesson in how they do on this one, and in the words of links. After
    every few pages the URLs that wait are weighed anew. What a page is taken to be is half the judge's word;
    the other half is the topic as the crawl's own pages have sharpened it.

    Examples of the topic are pages in hand: their links are signs from the first page on, and a page that
    leads to one has found something. They are not fetched again; where the crawl meets a link to one, it
    goes on with that page's own links.

    Examples
    --------
    >>> from homing.checks.replays import replay
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> web = toy_web(seed=1)
    >>> replay(web, Adaptive(), pages=60).harvest > replay(web, BreadthFirst(), pages=60).harvest
    True

    References
    ----------
    None: it is Homing's own. What words around a link say is link-context (Pant, Srinivasan 2006); credit
    for siblings and tag paths is the idea of navigational rank in one hop. docs/adaptive.md tells what it
    comes to.
    """

    name = "adaptive"
    rerank_every = _LOOK_EVERY

    _learns: bool = parameter(  # ``learn`` is the method that every strategy has
        "Learn from the crawl's own pages how much signs count. Without it, they count as usual to the end.",
        default=True,
        alias="learn",
    )
    pull: float = parameter(
        "How many pages it takes to outweigh what is usual.",
        default=400.0,
        within=(0.1, 1_000_000),
    )
    remember: int = parameter(
        "How many of the latest pages it learns from.",
        default=1_000,
        within=(20, 100_000),
    )
    links: int = parameter(
        "How many of the latest links it keeps: some 100 bytes each.",
        default=200_000,
        within=(1_000, 100_000_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._evidence = Evidence(most=self.links)
        self._expectation = Expectation(pull=self.pull, remember=self.remember)
        self._topic = SharpTopic(remember=min(self.remember, _BACKGROUND))
        self._kindred = Kindred(remember=_KINDRED)
        self._folders = Folders(remember=_LYING)
        self._sharpened_at = 0
        self._seen = 0
        self._total = 0
        """What all pages so far are taken to be, in whole parts: a sum that does not depend on its order."""
        self._ranked_at = 0
        self._in_hand: Mapping[str, tuple[Link, ...]] = {}
        """The links of the examples, by URL."""
        self._reached: dict[str, int] = {}
        """At which step the crawl met a link to an example."""

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate
        self._topic.begin(topic)
        self._kindred.begin(topic)
        self._folders.begin(topic)
        self._in_hand = {page.url: page.links for page in topic.examples}
        for page in topic.examples:
            self._evidence.judge(key(page.url), 1.0)
            self._evidence.take_in(key(page.url), page, self._rate)

    def start(self, url: str) -> Proposal:
        return Proposal(url=url, priority=Priority(tier=-1, score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        number, score = visit.entry.key, visit.judgement.score
        is_new = not self._evidence.is_judged(number)  # no example, and no page that comes again
        if is_new:
            score = self._topic.meet(number, visit.page, score)
        else:
            score = self._topic.taken(visit.page, score)
        if self._is_lesson():  # of what was known before: the page itself must not be among its kindred yet
            self._take_lesson(number, score)
        if is_new:
            self._kindred.add(number, visit.page.title, self._named(number), score=score)
            self._folders.add(number, visit.entry.url, score=score)
        self._seen += 1
        self._total += round(SCALE * score)
        self._evidence.judge(number, score)
        if visit.entry.url not in self._in_hand:
            self._evidence.take_in(number, visit.page, self._rate)
        self._meet_examples(visit.page.links, visit.step)

    def score(self, visit: Visit) -> Iterator[Proposal]:
        reached = (self._in_hand[url] for url, step in self._reached.items() if step == visit.step)
        urls = list(dict.fromkeys(link.url for links in (visit.page.links, *reached) for link in links))
        places = self._evidence.places_of([key(url) for url in urls])
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
        """Look at the topic, the weights and the best of the waiting URLs anew."""
        if self._seen >= min(_SHARPEN * self._sharpened_at, self._sharpened_at + _BACKGROUND):
            self._sharpen()
        if self._learns and len(self._expectation):
            self._expectation.fit()
        waiting = view.waiting()
        if len(waiting) > _BEST:
            _, scores = view.priorities(waiting)
            waiting = waiting[np.sort(np.argpartition(-scores, _BEST)[:_BEST])]
        keys = view.keys(waiting)
        places = self._evidence.places_of(keys)
        keys, places = keys[places >= 0], places[places >= 0]
        if not len(keys):
            return None
        scores, usual, parts = self._expectation.of(self._signs(places))
        least = np.partition(np.abs(parts), -_SHOWN, axis=1)[:, -_SHOWN]
        heaviest = np.where(np.abs(parts) >= least[:, None], parts, np.nan).T
        named = {"usual": usual, "learnt": scores - usual, **dict(zip(SIGNS, heaviest, strict=True))}
        return Ranking(keys=keys, tiers=np.zeros(len(keys), np.int32), scores=scores, parts=named)

    # -- what it knows

    def _is_lesson(self) -> bool:
        """Every page teaches, but where there is much to remember already, some will do."""
        return self._learns and (len(self._expectation) < self.remember or self._seen % _LATER_EVERY == 0)

    def _take_lesson(self, number: int, score: float) -> None:
        """What was known of a page before it came, and what it turned out to be."""
        place = self._evidence.places_of([number])
        if place[0] < 0:  # a seed, or a page met again
            return
        links = self._evidence.links_to(place)[:, 0]
        words, owners = self._evidence.words(links)
        values = shares(words, owners) / len(links)
        with one_thread():
            row = self._signs(place)[0]
        self._expectation.add(number, row, score, words, values)

    def _named(self, number: int) -> Rows:
        """What the links to a page that has come call it."""
        place = self._evidence.places_of([number])
        if place[0] < 0:
            return np.zeros(0, np.uint32)
        return self._evidence.names(self._evidence.links_to(place)[:, 0])[0]

    def _sharpen(self) -> None:
        """The topic is seen more sharply now: so are the pages that came, and the words of links."""
        self._sharpened_at = self._seen
        keys, scores = self._topic.sharpen()
        self._total += self._evidence.judge_anew(keys, scores)
        self._expectation.judge_anew(keys, scores)
        self._kindred.judge_anew(keys, scores)
        self._folders.judge_anew(keys, scores)

    def _meet_examples(self, links: Sequence[Link], step: int) -> None:
        """Examples that a page links to are met, and those that these link to."""
        shown = list(links)
        for link in shown:
            if link.url in self._in_hand and link.url not in self._reached:
                self._reached[link.url] = step
                shown.extend(self._in_hand[link.url])

    def _signs(self, places: NDArray[np.int64]) -> Floats:
        usual = self._total / SCALE / self._seen if self._seen else _NO_PAGES
        return np.concatenate(
            [
                signs(
                    self._evidence,
                    places[start : start + _AT_ONCE],
                    self._expectation.words,
                    self._topic.company,
                    self._kindred,
                    self._folders,
                    usual=usual,
                )
                for start in range(0, len(places), _AT_ONCE)
            ]
        )

    # -- what it says

    def _proposals(self, urls: list[str], places: NDArray[np.int64]) -> Iterator[Proposal]:
        if not urls:
            return
        with one_thread():
            scores, usual, parts = self._expectation.of(self._signs(places))
        heaviest = np.argsort(-np.abs(parts), axis=1)[:, :_SHOWN]
        shown = np.take_along_axis(parts, heaviest, axis=1).tolist()
        for url, score, first, named, values in zip(
            urls, scores.tolist(), usual.tolist(), heaviest.tolist(), shown, strict=True
        ):
            signs_of = zip(map(SIGNS.__getitem__, named), values, strict=True)
            why = (("usual", first), ("learnt", score - first), *signs_of)
            yield Proposal(url=url, priority=Priority(score=score), why=why)

    # -- what is saved

    def state(self) -> State:
        return {
            "form": _FORM,
            "seen": self._seen,
            "total": self._total,
            "ranked_at": self._ranked_at,
            "sharpened_at": self._sharpened_at,
            "topic": dict(self._topic.state()),
            "kindred": dict(self._kindred.state()),
            "folders": dict(self._folders.state()),
            "reached": dict(self._reached),
            "evidence": dict(self._evidence.state()),
            "expectation": dict(self._expectation.state()),
        }

    def restore(self, state: State) -> None:
        if state.get("form") != _FORM:
            raise OldStateError(
                "what the crawl has learnt was saved by another version; go on with the crawl first"
            )
        self._seen = convert(state["seen"], int)
        self._total = convert(state["total"], int)
        self._ranked_at = convert(state["ranked_at"], int)
        self._sharpened_at = convert(state["sharpened_at"], int)
        self._topic.restore(convert(state["topic"], dict[str, object]))
        self._kindred.restore(state["kindred"])
        self._folders.restore(state["folders"])
        self._reached = convert(state["reached"], dict[str, int])
        self._evidence.restore(convert(state["evidence"], dict[str, object]))
        self._expectation.restore(convert(state["expectation"], dict[str, object]))
