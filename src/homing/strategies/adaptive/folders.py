"""Pages that lie together: how relevant a host and its folders were tells what to expect there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.columns import Columns, revise
from homing.model import State, Topic
from homing.strategies.adaptive.link_table import SCALE
from homing.strategies.adaptive.tokens import FOLDERS, MOST_FOLDERS, Words, folders_of

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_PRIOR_COUNT = 3.0
"""Prior count: a folder is taken to be as relevant as its parent until more of its pages are known."""
_NONE = FOLDERS
"""Stands for a folder where a URL has no more of them."""


class Folders:
    """How relevant the pages are that lie in the same folder, as far as they are known.

    Authors of a site put similar pages into one folder: ``/courses/`` holds courses, whatever the links to
    them say. The mean of a folder is shrunk to that of its parent, and in the end to that of the host, so
    that the first page of a folder says little of it and the tenth nearly all.

    Parameters
    ----------
    remember
        How many of the latest pages it counts.

    Examples
    --------
    >>> folders = Folders(remember=100)
    >>> for number in range(9):
    ...     folders.add(number, f"http://a.example/moths/{number}", score=1.0)
    ...     folders.add(100 + number, f"http://a.example/trains/{number}", score=0.0)
    >>> queries = [folders_of(f"http://a.example/{name}/new") for name in ("moths", "trains", "ships")]
    >>> words, owners = np.concatenate(queries), np.repeat(np.arange(3), 2)
    >>> folders.of(words, owners, count=3, average=0.5).round(2).tolist()
    [0.38, -0.38, 0.0]
    """

    def __init__(self, *, remember: int) -> None:
        self.remember = remember
        self._pages = Columns(key="i8", score="f4", folders=f"{MOST_FOLDERS}u2")
        self._examples: list[Numbers] = []
        self._count()

    def begin(self, topic: Topic) -> None:
        """Take in the folders of the examples."""
        self._examples = [folders_of(page.url) for page in topic.examples]
        self._count()

    def add(self, number: int, url: str, *, score: float) -> None:
        """Add the fetched page with that key."""
        folders = np.full(MOST_FOLDERS, _NONE)
        found = folders_of(url)
        folders[: len(found)] = found
        self._pages.add(1, key=number, score=score, folders=folders)
        self._credit(folders, score)
        if len(self._pages) > 2 * self.remember:
            self._pages.cut(len(self._pages) - self.remember)
            self._count()

    def rescore(self, keys: Numbers, scores: Floats) -> None:
        """Replace the scores of pages."""
        revise(self._pages, keys, scores)
        self._count()

    def of(self, folders: Words | Numbers, owners: Numbers, *, count: int, average: float) -> Floats:
        """Return how far above average the pages are in the folder that each link leads to.

        ``folders`` are those of the links' targets, the host first, ``owners`` the link that each is of.
        """
        above, met = self._sums[folders] / SCALE - average * self._counts[folders], self._counts[folders]
        depth = np.arange(len(owners)) - np.searchsorted(owners, owners)
        found = np.zeros(count)
        for level in range(MOST_FOLDERS):
            here = depth == level
            found[owners[here]] = (above[here] + _PRIOR_COUNT * found[owners[here]]) / (
                met[here] + _PRIOR_COUNT
            )
        return found

    def _count(self) -> None:
        """Add up all pages that it knows of."""
        self._sums, self._counts = np.zeros((2, FOLDERS + 1), np.int64)
        for folders in self._examples:
            self._credit(folders, 1.0)
        for folders in self._pages["folders"].T:
            self._credit(folders, self._pages["score"])

    def _credit(self, folders: Words | Numbers, scores: float | Floats) -> None:
        np.add.at(self._sums, folders, np.round(SCALE * np.asarray(scores, np.float32)).astype(np.int64))
        np.add.at(self._counts, folders, 1)

    def state(self) -> State:
        return self._pages.state()

    def restore(self, state: object) -> None:
        self._pages.restore(state)
        self._count()
