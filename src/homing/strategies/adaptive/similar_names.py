"""Pages with similar names: how relevant *sparrow* was tells what to expect of *chaffinch*."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homing.columns import Columns, revise
from homing.model import State, Topic
from homing.text.embeddings import DIRECTIONS, Rows, Vectors, known, one_long, summed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_MOST_IN_TITLE = 12
"""Maximum words read of a title."""
_FINENESS = 127
"""Steps in which the numbers of a vector are kept, one byte each."""
_EXAMPLE = 2.0
"""An example counts as two pages, as the user has chosen it."""
_PRIOR_COUNT = 1.0
"""Prior count: names are taken for average until pages this similar in sum are known."""


class SimilarNames:
    """How relevant pages with similar names are.

    The names of a page are its title, the anchors that led to it and the end of its URL. A frontier URL has
    the last two (``names.py``). Every fetched page counts for it by the third power of the cosine between
    the meanings of their names (kernel regression, Nadaraya and Watson 1964): those that mean something
    similar decide, the many others hardly count.

    Parameters
    ----------
    remember
        How many of the latest pages it compares with.

    Examples
    --------
    >>> similar_names = SimilarNames(remember=100)
    >>> similar_names.begin(Topic(text="birds: robin, wren", rate=lambda texts: [0.0] * len(texts)))
    >>> nothing = np.array([], np.uint32)
    >>> similar_names.add(1, "The sparrow", nothing, score=0.9)
    >>> similar_names.add(2, "Steam locomotives", nothing, score=0.1)
    >>> rows, counts = known(["thrush", "railway"], most=1)
    >>> bird, train = similar_names.of(rows, np.arange(2), count=2)
    >>> bool(bird > 0 > train)
    True
    """

    def __init__(self, *, remember: int) -> None:
        self.remember = remember
        self._examples: Vectors = np.zeros((0, DIRECTIONS), np.float32)
        self._pages = Columns(key="i8", score="f4", meaning=f"{DIRECTIONS}i1")

    def begin(self, topic: Topic) -> None:
        """Take in the titles of the examples, and the words of the topic."""
        words = topic.text or ("" if topic.examples else " ".join(topic.keywords))
        named = _meanings([words, *(page.title for page in topic.examples)])
        self._examples = named[named.any(axis=1)]

    def add(self, number: int, title: str, links: Rows, *, score: float) -> None:
        """Add the fetched page with that key; ``links`` is what the links to it call it."""
        titled, _ = known([title], most=_MOST_IN_TITLE)
        owners = np.repeat([0, 1], [len(titled), len(links)])
        called = summed(np.concatenate([titled, links]), owners, count=2)
        meaning = one_long(called.sum(axis=0, keepdims=True))
        self._pages.add(1, key=number, score=score, meaning=np.round(_FINENESS * meaning))
        if len(self._pages) > 2 * self.remember:
            self._pages.cut(self.remember)

    def rescore(self, keys: Numbers, scores: Floats) -> None:
        """Replace the scores of pages."""
        revise(self._pages, keys, scores)

    def of(self, rows: Rows, owners: Numbers, *, count: int) -> Floats:
        """Return how far above average the pages are whose names are similar to those of each URL.

        ``rows`` are what the links to the URLs call them, ``owners`` the URL that each is of, in order.
        """
        meanings, shares = self._compared
        alike = summed(rows, owners, count=count) @ meanings.T
        np.maximum(alike, 0, out=alike)
        alike *= np.square(alike)
        above, met = (alike @ shares).T
        return np.asarray(above / (met + _PRIOR_COUNT), np.float64)

    @property
    def _compared(self) -> tuple[Vectors, Vectors]:
        """The meanings of names, how far above average each is, and how much it counts."""
        latest = slice(-self.remember, None)
        scores = self._pages["score"][latest].clip(0, 1)
        average = scores.mean() if len(scores) else 0.0
        examples = len(self._examples)
        shares = np.repeat(np.array([_EXAMPLE, 1.0], np.float32), [examples, len(scores)])
        above = np.concatenate([np.ones(examples, np.float32), scores]) - average
        pages = self._pages["meaning"][latest] / np.float32(_FINENESS)
        meanings = np.concatenate([self._examples, pages])
        return meanings, np.column_stack([shares * above, shares]).astype(np.float32)

    def state(self) -> State:
        return self._pages.state()

    def restore(self, state: object) -> None:
        self._pages.restore(state)


def _meanings(names: Sequence[str]) -> Vectors:
    rows, counts = known(names, most=_MOST_IN_TITLE)
    return summed(rows, np.repeat(np.arange(len(names)), counts), count=len(names))
