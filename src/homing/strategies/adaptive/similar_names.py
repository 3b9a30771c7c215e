"""Pages whose names mean the like: what came of *sparrow* tells what to expect of *chaffinch*."""

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
"""Words of a title that are read."""
_FINENESS = 127
"""Numbers of a vector are kept in so many steps, in one byte."""
_EXAMPLE = 2.0
"""An example counts for so many pages: somebody has said that it is right."""
_DOUBT = 1.0
"""A name is as relevant as any until more than so much of a page was called the same."""


class Kindred:
    """How relevant the pages are that are called something alike.

    What a page is called is its title, the anchors that led to it and the end of its address. A URL that
    waits has the last two (``naming.py``), and every page that has come counts for it by the third power of
    the cosine between what the names mean (a regression by a kernel, Nadaraya and Watson 1964): those that
    mean the like decide, the many that mean something else hardly count.

    Parameters
    ----------
    remember
        How many of the latest pages it compares with.

    Examples
    --------
    >>> kindred = Kindred(remember=100)
    >>> kindred.begin(Topic(text="birds: robin, wren", rate=lambda texts: [0.0] * len(texts)))
    >>> nobody = np.array([], np.uint32)
    >>> kindred.add(1, "The sparrow", nobody, score=0.9)
    >>> kindred.add(2, "Steam locomotives", nobody, score=0.1)
    >>> rows, counts = known(["thrush", "railway"], most=1)
    >>> bird, train = kindred.of(rows, np.arange(2), count=2)
    >>> bool(bird > 0 > train)
    True
    """

    def __init__(self, *, remember: int) -> None:
        self.remember = remember
        self._examples: Vectors = np.zeros((0, DIRECTIONS), np.float32)
        self._pages = Columns(key="i8", score="f4", meaning=f"{DIRECTIONS}i1")

    def begin(self, topic: Topic) -> None:
        """What the examples are called, and the words that the topic was said in."""
        said = topic.text or ("" if topic.examples else " ".join(topic.keywords))
        named = _meanings([said, *(page.title for page in topic.examples)])
        self._examples = named[named.any(axis=1)]

    def add(self, number: int, title: str, links: Rows, *, score: float) -> None:
        """The page with that key has come; ``links`` is what the links to it call it."""
        titled, _ = known([title], most=_MOST_IN_TITLE)
        owners = np.repeat([0, 1], [len(titled), len(links)])
        called = summed(np.concatenate([titled, links]), owners, count=2)
        meaning = one_long(called.sum(axis=0, keepdims=True))
        self._pages.add(1, key=number, score=score, meaning=np.round(_FINENESS * meaning))
        if len(self._pages) > 2 * self.remember:
            self._pages.cut(self.remember)

    def judge_anew(self, keys: Numbers, scores: Floats) -> None:
        """Pages turn out otherwise."""
        revise(self._pages, keys, scores)

    def of(self, rows: Rows, owners: Numbers, *, count: int) -> Floats:
        """How much more relevant than usual the pages are that are called like each of so many URLs.

        ``rows`` are what the links to them call them, ``owners`` the URL that each is of, in order.
        """
        meanings, shares = self._compared
        alike = summed(rows, owners, count=count) @ meanings.T
        np.maximum(alike, 0, out=alike)
        alike *= np.square(alike)
        above, met = (alike @ shares).T
        return np.asarray(above / (met + _DOUBT), np.float64)

    @property
    def _compared(self) -> tuple[Vectors, Vectors]:
        """What names mean, and by how much each is more relevant than usual and how much it counts."""
        latest = slice(-self.remember, None)
        scores = self._pages["score"][latest].clip(0, 1)
        usual = scores.mean() if len(scores) else 0.0
        examples = len(self._examples)
        shares = np.repeat(np.array([_EXAMPLE, 1.0], np.float32), [examples, len(scores)])
        above = np.concatenate([np.ones(examples, np.float32), scores]) - usual
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
