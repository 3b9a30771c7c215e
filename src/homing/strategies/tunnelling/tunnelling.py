"""Widening the topic when nothing is found, and narrowing it again."""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from msgspec import Struct, convert

from homing.errors import UsageError
from homing.model import Priority, Proposal, Ranking, State, Topic, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.base import Strategy
from homing.strategies.tunnelling.wider import WiderSubjects, WiderTopic, WiderWords
from homing.taxonomy import Focus, Taxonomy, codes_of, load, starter
from homing.urls import key

_MOST_LEVELS = 2
_PARTS = ("page", "context"), ("wider page", "wider context")
_STEPS = 65_535
"""Remembered scores have two bytes."""


class Tunnelling(Strategy):
    """Widens the topic when too few pages are on it, and narrows it again when there are enough.

    Pages on a topic lie in regions, with others between them. As long as enough of the last pages were on
    the topic, links are weighed as by link-context. When their share falls below ``low``, the topic becomes
    that which it is part of, from basketball to sport, so that the crawl finds its way to other regions;
    when it rises above ``high``, it is narrowed again. The frontier is re-ranked each time.

    Where the topic has codes of a taxonomy, the wider topic is the subject above them. Else it is what pages
    on the topic have in common, without its most specific terms: half of them are left out at the first
    level, three quarters at the second.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(Tunnelling(), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Ester, Gross, Kriegel 2001, Focused web crawling: a generic framework for specifying the user interest
    and for adaptive crawling strategies, as described in the paper on the Treasure-Crawler. The paper widens
    when precision falls faster than expected; here, when it is low for a whole window. It knows a taxonomy
    of pages; where there is none, terms are left out instead.
    """

    name = "tunnelling"
    paper: ClassVar[str] = "Ester, Gross, Kriegel 2001, Focused web crawling: a generic framework"
    rerank_every = 10

    window: int = parameter(
        "How many pages the share is taken of, and how many are fetched at least before the next change.",
        default=100,
        within=(1, 1_000_000),
    )
    low: float = parameter(
        "The share of pages on the topic below which it is widened.",
        default=0.1,
        within=(0, 1),
    )
    high: float = parameter(
        "The share from which on it is narrowed again.",
        default=0.4,
        within=(0, 1),
    )
    levels: int = parameter(
        "How often it may be widened, 0 to 2.",
        default=2,
        within=(0, _MOST_LEVELS),
    )
    page_weight: float = parameter(
        "How much the page counts, 0 to 1; the words around a link have the rest.",
        default=0.25,
        within=(0, 1),
    )
    remember: int = parameter(
        "How many links are remembered, the latest, so that they can be re-ranked.",
        default=20_000,
        within=(0, 10_000_000),
    )
    taxonomy: str | Taxonomy = parameter(
        "The CSV or TSV file that the topic's codes are from; the built-in taxonomy if empty.",
        default="",
    )
    derive: bool = parameter(
        'Where no codes are given, find them by the topic\'s words and examples, as the judge "decimal" '
        "does.",
        default=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.high < self.low:
            raise UsageError(
                f'strategy "{self.name}": "high" must be from {self.low:g} to 1, not {self.high:g}'
            )
        self.level = 0
        """How often the topic has been widened."""
        self._since = 0
        self._ranked = 0
        self._recent: deque[bool] = deque(maxlen=self.window)
        self._links: dict[int, list[int]] = {}
        """Links by key, with what they score at each level or below."""
        self._latest = (-1, "")
        self._weighed = _Weighed()
        given = self.taxonomy
        self._subjects = load(given) if isinstance(given, str) and given else given

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate
        self._wider: WiderTopic = WiderWords(topic, levels=self.levels)
        if topic.codes or self.derive:
            focus = Focus(self._subjects or starter())
            keys = codes_of(topic, focus).keys
            if keys:
                self._wider = WiderSubjects(focus, keys, levels=self.levels)

    def learn(self, visit: Visit) -> None:
        self._wider.learn(visit)
        self._recent.append(visit.judgement.relevant)
        self._since += 1
        if self._since >= self.window:
            share = sum(self._recent) / len(self._recent)
            if share < self.low and self.level < self._wider.levels:
                self._change(self.level + 1)
            elif share >= self.high and self.level > 0:
                self._change(self.level - 1)
        self._latest, self._weighed = (visit.step, visit.entry.url), self._weigh(visit)
        self._remember(self._weighed)

    def _change(self, level: int) -> None:
        self.level = level
        self._since = 0

    def score(self, visit: Visit) -> Iterator[Proposal]:
        is_latest = self._latest == (visit.step, visit.entry.url)
        weighed = self._weighed if is_latest else self._weigh(visit)
        for place, url in enumerate(weighed.urls):
            scores = [scores[place] for scores in weighed.scores[: self.level + 1]]
            score = max(scores)
            level = scores.index(score)
            page = weighed.pages[level]
            of_page, of_context = _PARTS[level > 0]
            why = ((of_page, page), (of_context, score - page))
            yield Proposal(url=url, priority=Priority(score=score), why=why)

    def rerank(self, view: View) -> Ranking | None:
        """Re-rank all URLs whose links are remembered, after a change of the topic."""
        if self._ranked == self.level:
            return None
        self._ranked = self.level
        keys = [number for number in view.keys(view.waiting()).tolist() if number in self._links]
        scores = np.array([self._links[number][self.level] / _STEPS for number in keys], dtype=np.float64)
        return Ranking(
            keys=np.array(keys, dtype=np.int64),
            tiers=np.zeros(len(keys), dtype=np.int32),
            scores=scores,
            parts={"wider topic" if self.level else "topic": scores},
        )

    def _weigh(self, visit: Visit) -> _Weighed:
        """Return the scores of a page's links at every level."""
        page = visit.page
        texts = {link.url: link.around for link in page.links}
        around = list(texts.values())
        pages = [
            self.page_weight * rating for rating in (visit.judgement.score, *self._wider.rate_page(page))
        ]
        contexts = [self._rate(around), *self._wider.rate(around, page.language)]
        rest = 1 - self.page_weight
        scores = [
            [of_page + rest * rating for rating in ratings]
            for of_page, ratings in zip(pages, contexts, strict=True)
        ]
        return _Weighed(urls=list(texts), pages=pages, scores=scores)

    def _remember(self, weighed: _Weighed) -> None:
        """Keep the best score of each URL: what is on a topic is also on all wider ones."""
        steps = np.maximum.accumulate(np.round(np.array(weighed.scores) * _STEPS), axis=0).astype(int)
        for url, scores in zip(weighed.urls, steps.T.tolist(), strict=True):
            number = key(url)
            old = self._links.get(number)
            self._links[number] = list(map(max, old, scores)) if old else scores
        while len(self._links) > self.remember:
            del self._links[next(iter(self._links))]

    def state(self) -> State:
        scores = array("H", [score for scores in self._links.values() for score in scores])
        return {
            "level": self.level,
            "since": self._since,
            "ranked": self._ranked,
            "recent": list(self._recent),
            "keys": b64encode(array("q", self._links).tobytes()).decode(),
            "scores": b64encode(scores.tobytes()).decode(),
            "wider": self._wider.state(),
        }

    def restore(self, state: State) -> None:
        saved = convert(dict(state), _Saved)
        self.level, self._since, self._ranked = saved.level, saved.since, saved.ranked
        self._recent.extend(saved.recent)
        scores = iter(array("H", b64decode(saved.scores)))
        rows = zip(*[scores] * (self._wider.levels + 1), strict=True)
        self._links = dict(zip(array("q", b64decode(saved.keys)), map(list, rows), strict=True))
        self._wider.restore(saved.wider)


class _Weighed(Struct):
    """The links of a page: for each level, what the page is worth, and what each link is."""

    urls: list[str] = []
    pages: list[float] = []
    scores: list[list[float]] = []


class _Saved(Struct):
    level: int
    since: int
    ranked: int
    recent: list[bool]
    keys: str
    scores: str
    wider: dict[str, object]
