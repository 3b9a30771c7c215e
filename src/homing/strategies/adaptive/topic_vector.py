"""The topic vector: what the examples say and the other pages of this web do not.

A judge is built before the first page and knows the rest of the web from ordinary text. The crawl's own pages
tell more: on a site about history every page has kings and wars, so these words say nothing there of the
topic *castles*. Here the topic is a vector over all terms: the mean of the examples less that of pages that
turned out to be off the topic, each term weighed by its rarity among the pages of the crawl. The same term is
another one in a title, in headings and in a URL.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.columns import Columns
from homing.model import Page, State, Topic
from homing.strategies.adaptive.co_occurrence import NO_CO_OCCURRENCE, CoOccurrence
from homing.strategies.adaptive.page_terms import FIELDS, Bag, Bags, bag_of, rarity_of
from homing.text.hashing import BUCKETS

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_FIRST = 8
"""Pages before the examples can be compared with anything."""
_FLOOR = 0.01
"""Weight of pages surely on the topic among those off it, so that there are always some."""
_ABOVE = 0.5
"""Standard deviations above the mean of pages off the topic from which likeness is no chance."""
_CLEARLY = 0.02
"""Least difference in cosine between the examples and other pages for the vector to be used."""
_MOST = 1.5
"""Maximum likeness of a page, where the examples have 1."""
_ROUNDS = 2
"""Pages off the topic are those the judge says at first, then those of the vector itself."""
_PRIOR_COUNT = 0.3
"""Prior count: words are taken for average until they have this weight, in whole pages of one word."""
_JUDGES_SAY = 0.5
"""The judge's share in the score of a page: it has read more of the world, we of this web."""


class TopicVector:
    """A topic vector that is refined from time to time by the pages fetched so far.

    Parameters
    ----------
    remember
        How many of the latest pages it is computed from.

    Examples
    --------
    >>> def page(number, text):
    ...     return Page(url=f"http://a.example/{number}", text=text, language="en")
    >>> moths = [page(1, "king moth wing"), page(2, "king moth nectar")]
    >>> topic = TopicVector(remember=100)
    >>> topic.begin(Topic(text="", examples=tuple(moths), rate=lambda texts: [0.0] * len(texts)))
    >>> for number in range(3, 11):  # the judge takes kings for moths
    ...     _ = topic.add(number, page(number, f"king castle {number}"), 0.6)
    >>> keys, scores = topic.refine()
    >>> bool(scores.max() < 0.4), topic.add(11, page(11, "a moth"), 0.6) > 0.6
    (True, True)
    """

    def __init__(self, *, remember: int) -> None:
        self.remember = remember
        self._pages = Columns(key="i8", score="f8", **dict.fromkeys(FIELDS, "i4"))
        self._terms = Columns(term="u4", count="f4")
        """Those of all pages, one page after the other, and of each page one field after the other."""
        self._made_of = 0
        """How many of the pages the vector is made from, the first ones."""
        self._vector: Floats = np.zeros(0)
        self.co_occurrence = NO_CO_OCCURRENCE

    def begin(self, topic: Topic) -> None:
        """Take in the topic: its examples, or else its words as one example."""
        words = Page(url="", text=" ".join((topic.text, *topic.keywords)), language=topic.language)
        bags = [bag_of(page) for page in topic.examples or (words,)]
        bags = [bag for bag in bags if bag.sizes[0]] or bags[:1]  # an example without words says nothing
        self._examples = Bags.of(
            np.concatenate([bag.terms for bag in bags]),
            np.concatenate([bag.counts for bag in bags]),
            np.array([bag.sizes for bag in bags]),
        )

    @property
    def tells_apart(self) -> bool:
        """Whether it tells pages apart: not at first, and not if the examples are like any page."""
        return len(self._vector) > 0

    def add(self, number: int, page: Page, score: float) -> float:
        """Add a page that the judge gives this score; return the refined score."""
        bag = bag_of(page)
        if not self._made_of and len(self._pages) == 2 * self.remember:
            self._forget()  # the vector has not been needed for long, as in relearning
        self._pages.add(1, key=number, score=score, **dict(zip(FIELDS, bag.sizes, strict=True)))
        self._terms.add(len(bag.terms), term=bag.terms, count=bag.counts)
        return self._refined(bag, score)

    def refined(self, page: Page, score: float) -> float:
        """Return the refined score of a page that the judge gives this score."""
        return self._refined(bag_of(page), score)

    def refine(self) -> tuple[Numbers, Floats]:
        """Recompute the vector; return the keys of the pages it remembers, and their refined scores."""
        self._forget()
        self._made_of = len(self._pages)
        taken = self._computed()
        keys, latest = np.unique(self._pages["key"][::-1], return_index=True)  # a page may be fetched again
        return keys, taken[::-1][latest]

    def _forget(self) -> None:
        """Drop all but the latest pages."""
        excess = len(self._pages) - self.remember
        if excess > 0:
            self._terms.cut(int(self._sizes(excess).sum()))
            self._pages.cut(excess)

    # -- computing the vector

    def _computed(self) -> Floats:
        """Compute the vector from the first pages; return their refined scores."""
        scores, sizes = self._pages["score"][: self._made_of], self._sizes(self._made_of)
        self._vector, self.co_occurrence = np.zeros(0), NO_CO_OCCURRENCE
        if self._made_of < _FIRST or not len(self._examples.terms):
            return scores
        end = int(sizes.sum())
        pages = Bags.of(self._terms["term"][:end], self._terms["count"][:end], sizes)
        met = np.bincount(pages.terms, minlength=BUCKETS)
        self._rarity = rarity_of(met, self._made_of)
        heard, shown = pages.weighed(self._rarity), self._examples.weighed(self._rarity)
        topic = self._examples.summed(shown) / self._examples.pages
        taken = scores
        for _ in range(_ROUNDS):
            off = np.maximum(1 - taken, 0) ** 2 + _FLOOR
            off /= off.sum()
            rest = pages.summed(heard * off[pages.owners])
            cosines = pages.products(heard, topic - rest)
            self._low = float(off @ cosines)
            self._low += _ABOVE * math.sqrt(float(off @ (cosines - self._low) ** 2))
            cosines[sizes[:, 0] == 0] = self._low
            believed = float(scores @ cosines / (scores.sum() or 1.0))
            self._high = self._on_topic(shown, topic, rest) if self._examples.pages > 1 else believed
            if self._high < self._low + _CLEARLY:
                return scores
            taken = self._mixed(cosines, scores)
        self._vector = topic - rest
        self.co_occurrence = self._co_occurrence_in(pages, heard, shown, np.clip(taken, 0, 1))
        return taken

    def _co_occurrence_in(self, pages: Bags, heard: Floats, shown: Floats, taken: Floats) -> CoOccurrence:
        """Return how relevant the pages with each word are; the examples are most relevant."""
        average, examples = float(taken.mean()), self._examples
        on = examples.spoken(shown) + pages.spoken(heard * taken[pages.owners])
        loudness = examples.spoken(shown) + pages.spoken(heard)
        rarity = rarity_of(examples.spoken(1.0) + pages.spoken(1.0), self._made_of)
        return CoOccurrence((on + _PRIOR_COUNT * average) / (loudness + _PRIOR_COUNT) - average, rarity)

    def _on_topic(self, shown: Floats, topic: Floats, rest: Floats) -> float:
        """Return how like the topic a page on it is: each example compared with the others."""
        examples = self._examples
        own = np.bincount(examples.owners, shown * shown, examples.pages)
        itself = (examples.products(shown, topic) * examples.pages - own) / (examples.pages - 1)
        return float(np.mean(itself - examples.products(shown, rest)))

    def _refined(self, bag: Bag, score: float) -> float:
        if not self.tells_apart:
            return score
        cosine = self._low
        if bag.sizes[0]:
            heard = Bags.of(bag.terms, bag.counts, np.array([bag.sizes])).weighed(self._rarity)
            cosine = float(heard @ self._vector[bag.terms])
        return float(self._mixed(np.array([cosine]), np.array([score]))[0])

    def _mixed(self, cosines: Floats, scores: Floats) -> Floats:
        own = np.clip((cosines - self._low) / (self._high - self._low), 0, _MOST)
        return _JUDGES_SAY * scores + (1 - _JUDGES_SAY) * own

    def _sizes(self, pages: int) -> Numbers:
        """Return how many terms each field of the first pages has, a row a page."""
        return np.column_stack([self._pages[name][:pages] for name in FIELDS]).astype(np.int64)

    # -- state: the pages, from which the vector follows

    def state(self) -> State:
        return {"pages": self._pages.state(), "terms": self._terms.state(), "made_of": self._made_of}

    def restore(self, state: State) -> None:
        self._pages.restore(state["pages"])
        self._terms.restore(state["terms"])
        self._made_of = convert(state["made_of"], int)
        self._computed()
