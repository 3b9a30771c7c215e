"""The training set of a judge: pages of both classes, each read once.

Positives alone are enough. Ordinary text of the language stands in for the other class; every page known to
be off the topic improves it. Unlabelled pages (those of an earlier crawl) are mostly off the topic, but not
all, so uncertain ones are left out. Each example serves as a spy in turn: it is held out and compared with
the centroid of the others. An unlabelled page counts as a negative only if it is less similar to the topic
than most spies are (Liu et al. 2002, Partially supervised classification of text documents; their spies are
a sample of the positives, of which we have too few).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean, stdev

from homing.errors import UsageError
from homing.judge.base import Brief
from homing.judge.trained.centroid import centroid
from homing.judge.trained.features import Reader, Vector
from homing.judge.trained.ordinary_text import OrdinaryText, ordinary_text
from homing.model import Page
from homing.text.vectors import dot

_UNLABELLED = 1000
"""Maximum of unlabelled pages used, spread over all: more add little, and cost time."""

_MADE_UP = 100
"""Number of made-up pages: enough for every common word to be in some."""

_LONE = 0.1
"""Cosine of two pages on one topic, used where there is one example only; as on the development topics."""


@dataclass(frozen=True)
class TrainingPage:
    """A page of a training set."""

    counts: Counter[str]
    vector: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class TrainingSet:
    """Pages on the topic, and pages off it if any are known."""

    reader: Reader
    positives: tuple[TrainingPage, ...]
    negatives: tuple[TrainingPage, ...] = ()
    made_up: tuple[Vector, ...] = ()
    """Vectors of made-up pages of ordinary text, as long as the positives."""

    @classmethod
    def of(
        cls, brief: Brief, judge: str, *, plainly: bool = False, promote: float | None = None
    ) -> TrainingSet:
        """Return the training set of a brief, for the judge of that name.

        Unlabelled pages join the positives if they have at least the cosine ``promote`` with an example:
        by plain counts if the judge uses them, else by tf-idf less ordinary text.
        """
        if not brief.examples:
            raise UsageError(
                f'the judge "{judge}" needs pages on the topic: give at least one example (--example)'
            )
        reader = Reader.of(brief.examples, brief.language, plainly=plainly)
        positives = _distinct(_read(brief.examples, reader))
        if not positives:
            raise UsageError(f'the judge "{judge}" finds no words in the examples: give pages that have text')
        negatives = _distinct(_read(brief.negatives, reader), known=positives)
        step = max(1, -(-len(brief.unlabelled) // _UNLABELLED))
        unlabelled = _distinct(_read(brief.unlabelled[::step], reader), known=positives + negatives)
        first = cls(reader, positives, negatives)
        if promote is not None:
            alike = first.alike(unlabelled, promote)
            positives += tuple(each for each, is_alike in zip(unlabelled, alike, strict=True) if is_alike)
            unlabelled = tuple(each for each, is_alike in zip(unlabelled, alike, strict=True) if not is_alike)
            first = cls(reader, positives, negatives)
        made_up = first.ordinary.pages(_MADE_UP, [page.counts.total() for page in positives])
        return cls(
            reader,
            positives,
            negatives + first.likely_negatives(unlabelled),
            tuple(map(reader.shape, made_up)),
        )

    @cached_property
    def ordinary(self) -> OrdinaryText:
        """Ordinary text: the rest of the web, as far as the negatives show it."""
        language = self.reader.languages[0]
        if not self.negatives:
            return ordinary_text(language)
        return OrdinaryText(language, [page.vector for page in self.negatives])

    def alike(self, pages: Sequence[TrainingPage], least: float) -> list[bool]:
        """Return for each page whether it has at least this cosine with one of the positives."""

        def weighted(page: TrainingPage) -> Vector:
            return page.vector if self.reader.plainly else centroid([page.vector], self.ordinary)

        targets = [weighted(page) for page in self.positives] if pages else []
        return [max(dot(vector, target) for target in targets) >= least for vector in map(weighted, pages)]

    def likely_negatives(self, unlabelled: Sequence[TrainingPage]) -> tuple[TrainingPage, ...]:
        """Return the unlabelled pages that are less similar to the topic than nearly all examples are."""
        if not unlabelled:
            return ()
        vectors = [page.vector for page in self.positives]
        if len(vectors) > 1:
            spies = [
                dot(vector, centroid(vectors[:place] + vectors[place + 1 :], self.ordinary))
                for place, vector in enumerate(vectors)
            ]
            border = mean(spies) - stdev(spies)
        else:
            border = _LONE
        topic = centroid(vectors, self.ordinary)
        return tuple(page for page in unlabelled if dot(page.vector, topic) < border)

    def fold(self, number: int, folds: int) -> tuple[TrainingSet, TrainingSet]:
        """Return the training set without the ``number``-th fold, and that fold."""
        rest = replace(
            self,
            positives=tuple(each for place, each in enumerate(self.positives) if place % folds != number),
            negatives=tuple(each for place, each in enumerate(self.negatives) if place % folds != number),
        )
        held = replace(self, positives=self.positives[number::folds], negatives=self.negatives[number::folds])
        return rest, held


def _read(pages: Iterable[Page], reader: Reader) -> list[TrainingPage]:
    found = []
    for page in pages:
        counts = reader.counts(page)
        found.append(TrainingPage(counts, reader.shape(counts), tuple(reader.windows(page))))
    return found


def _distinct(pages: Iterable[TrainingPage], known: Iterable[TrainingPage] = ()) -> tuple[TrainingPage, ...]:
    """Return the pages that have words, each once: of a page given twice the copies would be the topic."""
    seen = {frozenset(page.counts.items()) for page in known}
    found = []
    for page in pages:
        key = frozenset(page.counts.items())
        if key and key not in seen:
            seen.add(key)
            found.append(page)
    return tuple(found)
