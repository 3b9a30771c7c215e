"""What context-graph, layered and q-learning share: which words tell classes of pages or links apart.

A class is a layer (how many links a page is from a target) or a bin of credit. ``NaiveBayes`` says how likely
a text is of which class; ``Anchors`` how much an anchor is like those that led into each layer. Both are a
``Table``: a row of numbers a term, summed over the terms of a text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from msgspec import Struct, convert
from numpy.typing import NDArray

from homing.errors import UsageError
from homing.model import Link, Page
from homing.text.words import terms
from homing.trails import LocalGraph
from homing.urls import words_of

Floats = NDArray[np.float64]
Texts = Sequence[Sequence[str]]
"""Texts as lists of their terms, in which a term stands as often as it occurs."""

_TEXT = 1_500
_LINKS = 100
"""How much is read of a page. As much is remembered of pages to fit on: both must look alike."""
_ANCHOR_TERMS = 5_000
_RAREST = 2
"""Least texts with a term for it to count: a word seen once tells one text apart, not a class."""
_DIGITS = 5
"""Of a number in a model. Rounded before it is used, so that a restored model is the same to the last bit."""


class Table:
    """A row of numbers for each of some terms.

    >>> table = Table(["moth", "wing"], np.array([[1.0, 0.0], [2.0, 5.0]]))
    >>> sums, known = table.sums([["moth", "wing", "wing"], ["train"]])
    >>> sums.tolist(), known.tolist()
    ([[5.0, 10.0], [0.0, 0.0]], [3, 0])
    """

    def __init__(self, listed: Sequence[str], rows: Floats) -> None:
        self.terms = {term: number for number, term in enumerate(listed, 1)}
        # Row 0 is nothing: with it no text is empty, for which ``reduceat`` would give the next one's row.
        self.rows = np.vstack([np.zeros((1, rows.shape[1])), rows])

    def sums(self, texts: Texts) -> tuple[Floats, NDArray[np.int64]]:
        """Return for each text the sum of its terms' rows, and how many of its terms have one."""
        find = self.terms.get
        numbers: list[int] = []
        starts: list[int] = []
        for text in texts:
            starts.append(len(numbers))
            numbers.append(0)
            numbers += [number for term in text if (number := find(term))]
        known = np.diff(np.array([*starts, len(numbers)])) - 1
        sums: Floats = np.add.reduceat(self.rows[numbers], starts, axis=0)
        return sums, known

    def state(self) -> dict[str, object]:
        return {"terms": list(self.terms), "rows": self.rows[1:].tolist()}


class _SavedTable(Struct):
    terms: list[str]
    rows: list[list[float]]


class _SavedBayes(_SavedTable):
    texts: list[int]


class NaiveBayes:
    """How likely a text is of each class: multinomial, Laplace-smoothed, over the terms that tell most.

    Plain naive Bayes is all but certain of any long text, and its chances say nothing. Here a text counts as
    if it had ``evidence`` known words at most: the logarithms are shrunk to that length.

    >>> bayes = NaiveBayes.fit([["moth"], ["moth", "wing"], ["train"], ["train"]], [0, 0, 1, 1], 2)
    >>> bayes.chances([["moth"], ["train"]], evidence=20).round(2).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    def __init__(self, table: Table, texts: Sequence[int]) -> None:
        self._table = table
        self.texts = list(texts)
        """Texts that each class was fitted on. A class without any is never guessed."""

    @classmethod
    def fit(cls, texts: Texts, classes: Sequence[int], count: int, *, most: int = 2_000) -> Self:
        """Fit to texts of the classes 0 to ``count`` - 1, by the ``most`` telling terms."""
        listed, present, times = _count(texts, classes, count)
        sizes = np.bincount(np.asarray(classes, np.int64), minlength=count)
        order = np.argsort(-chi_square(present, sizes).max(axis=1, initial=0.0), kind="stable")
        chosen = [number for number in order.tolist() if present[number].sum() >= _RAREST][:most]
        said = times[chosen]
        logs = np.log((said + 1) / (said.sum(axis=0) + max(len(chosen), 1)))
        return cls(Table([listed[number] for number in chosen], logs.round(_DIGITS)), sizes.tolist())

    def chances(self, texts: Texts, *, evidence: float, uniform: bool = True) -> Floats:
        """Return a row for each text, a column a class. ``uniform``: with equal prior chances."""
        sums, known = self._table.sums(texts)
        sizes = np.array(self.texts, np.float64)
        with np.errstate(divide="ignore"):
            before = np.log(np.minimum(sizes, 1.0) if uniform else sizes)
        logs = before + sums * (np.minimum(known, evidence) / np.maximum(known, 1))[:, None]
        odds = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances: Floats = odds / odds.sum(axis=1, keepdims=True)
        return chances

    def state(self) -> dict[str, object]:
        return {**self._table.state(), "texts": self.texts}

    @classmethod
    def from_state(cls, state: object) -> Self:
        """Restore what ``state`` returned; ``ValueError`` if it is something else."""
        saved = convert(state, _SavedBayes)
        if max(saved.texts, default=0) <= 0 or min(saved.texts) < 0:
            raise ValueError("no class has any text, or one has less than none")
        return cls(_table(saved, len(saved.texts)), saved.texts)


class Anchors:
    """How much the words of a link are like those of the links into each layer.

    The average cosine to many anchors is one product with the mean of their unit vectors.

    >>> anchors = Anchors.fit([["moth"], ["moth", "wing"], ["train"]], [0, 0, 1], 2)
    >>> anchors.likeness([["moth"], ["wing", "train"], []]).round(3).tolist()
    [[0.854, 0.0], [0.25, 0.707], [0.0, 0.0]]
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    @classmethod
    def fit(cls, texts: Texts, layers: Sequence[int], count: int) -> Self:
        """Fit to the words of links, and the layers they lead to: 0 to ``count`` - 1."""
        listed, _, weights = _count(texts, layers, count, unit=True)
        sizes = np.bincount(np.asarray(layers, np.int64), minlength=count)
        means = (weights / np.maximum(sizes, 1)).round(_DIGITS)
        chosen = np.argsort(-weights.sum(axis=1), kind="stable")[:_ANCHOR_TERMS].tolist()
        return cls(Table([listed[number] for number in chosen], means[chosen]))

    def likeness(self, texts: Texts) -> Floats:
        """Return the average cosines: a row for each link, a column a layer."""
        sums, _ = self._table.sums(texts)
        lengths = np.array([length(text) for text in texts])
        likeness: Floats = sums / np.maximum(lengths, 1.0)[:, None]
        return likeness

    def state(self) -> dict[str, object]:
        return self._table.state()

    @classmethod
    def from_state(cls, state: object, count: int) -> Self:
        """Restore what ``state`` returned; ``ValueError`` if it is something else."""
        return cls(_table(convert(state, _SavedTable), count))


def chi_square(present: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
    """Return how far from chance terms are in texts of a class: a row for each term, a column a class.

    ``present[t, c]`` of the ``sizes[c]`` texts of class ``c`` have term ``t``. Where both of 2 texts on moths
    say wing, and 1 of 4 others: A = 2, B = 1, C = 0, D = 3, and 6 (2·3 - 0·1)² / (2·4·3·3) = 3.

    >>> chi_square(np.array([[2, 1]]), np.array([2, 4])).tolist()
    [[3.0, 3.0]]
    """
    a = present.astype(np.float64)
    b = a.sum(axis=1, keepdims=True) - a
    c = sizes - a
    d = sizes.sum() - sizes - b
    spread = (a + c) * (b + d) * (a + b) * (c + d)
    distance = sizes.sum() * (a * d - c * b) ** 2
    worth: Floats = np.divide(distance, spread, out=np.zeros_like(a), where=spread > 0)
    return worth


def words_of_page(page: Page) -> list[str]:
    """Return the terms of the title and of the beginning of the text."""
    return terms(f"{page.title}\n{page.text[:_TEXT]}", page.language)


def words_of_link(link: Link, language: str) -> list[str]:
    """Return the terms of the anchor (of an image, its alternative text); if it has none, of the URL."""
    return terms(link.anchor, language) or terms(words_of(link.url), language)


def first_links(page: Page) -> Iterable[Link]:
    """Return the links of a page that models are fitted on."""
    return (link for link in page.links[:_LINKS] if link.url != page.url)


def length(text: Sequence[str]) -> float:
    """Return the length of a text's vector of term counts."""
    if len(text) < 2:
        return float(len(text))
    return math.hypot(*Counter(text).values())


def check_enough(name: str, graph: LocalGraph) -> None:
    """Raise ``UsageError`` if no page of the graph leads to a target."""
    if max(graph.distances.values(), default=0) == 0:
        raise UsageError(
            f'strategy "{name}" needs pages on the topic and pages that link to them; there are '
            f"{len(graph.pages)} pages, {len(graph.targets)} on the topic, and no link from another to these"
        )


def _count(
    texts: Texts, classes: Sequence[int], count: int, *, unit: bool = False
) -> tuple[list[str], NDArray[np.int64], Floats]:
    """Return terms, how many texts of each class have them, and how often (``unit``: texts have length 1)."""
    numbers: dict[str, int] = {}
    cells: list[int] = []
    times: list[float] = []
    for text, each in zip(texts, classes, strict=True):
        scale = 1 / length(text) if unit and text else 1.0
        for term, said in Counter(text).items():
            cells.append(numbers.setdefault(term, len(numbers)) * count + each)
            times.append(said * scale)
    shape, size = (len(numbers), count), len(numbers) * count
    places = np.array(cells, np.int64)
    present = np.bincount(places, minlength=size).reshape(shape)
    # With no texts at all bincount would forget that weights are floats.
    said_in = np.bincount(places, np.array(times), minlength=size).astype(np.float64).reshape(shape)
    return list(numbers), present, said_in


def _table(saved: _SavedTable, width: int) -> Table:
    if len(saved.terms) != len(saved.rows) or any(len(row) != width for row in saved.rows):
        raise ValueError("the table is not of one size")
    return Table(saved.terms, np.array(saved.rows, np.float64).reshape(-1, width))
