"""What a learnt judge is taught: pages of both classes, read once, however few and unsure they are.

Positives are all that is needed. Ordinary text of the language stands in for the other class; every page
that is known to be off the topic then makes it truer. Unlabelled pages (those of an earlier crawl) are
mostly off the topic, but not all, so the doubtful ones are left out. Each example is a spy in turn: it is
taken out and compared with the centroid of the others. An unlabelled page is taken for a negative only if
it is less like the topic than most spies are (Liu et al. 2002, Partially supervised classification of text
documents; their spies are a sample of the positives, of which we have too few).
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
from homing.judge.trained.ordinary_text import Ordinary, text_of
from homing.model import Page
from homing.text.vectors import dot

_UNLABELLED = 1000
"""Unlabelled pages looked at, spread over all there are: more teach little, and cost time."""

_MADE_UP = 100
"""Made-up pages: enough for every common word to be in some."""

_LONE = 0.1
"""The cosine of two pages on one topic, where there is only one example: as on the development topics."""


@dataclass(frozen=True)
class Shown:
    """A page as a lesson keeps it."""

    counts: Counter[str]
    vector: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """Pages on the topic and pages that are not, perhaps none of these."""

    reader: Reader
    positives: tuple[Shown, ...]
    negatives: tuple[Shown, ...] = ()
    made_up: tuple[Vector, ...] = ()
    """Pages of ordinary text, as long as the positives."""

    @classmethod
    def of(cls, brief: Brief, judge: str, *, plainly: bool = False, promote: float | None = None) -> Lesson:
        """The lesson in what a user said, for the judge of that name.

        Unlabelled pages join the positives if they have at least the cosine ``promote`` with an example:
        by plain counts if the judge goes by them, else by tf-idf less ordinary text.
        """
        if not brief.examples:
            raise UsageError(
                f'the judge "{judge}" needs pages on the topic: give at least one example (--example)'
            )
        reader = Reader.of(brief.examples, brief.language, plainly=plainly)
        positives = _distinct(_show(brief.examples, reader))
        if not positives:
            raise UsageError(f'the judge "{judge}" finds no words in the examples: give pages that have text')
        negatives = _distinct(_show(brief.negatives, reader), known=positives)
        step = max(1, -(-len(brief.unlabelled) // _UNLABELLED))
        unlabelled = _distinct(_show(brief.unlabelled[::step], reader), known=positives + negatives)
        lesson = cls(reader, positives, negatives)
        if promote is not None:
            alike = lesson.alike(unlabelled, promote)
            positives += tuple(each for each, is_alike in zip(unlabelled, alike, strict=True) if is_alike)
            unlabelled = tuple(each for each, is_alike in zip(unlabelled, alike, strict=True) if not is_alike)
            lesson = cls(reader, positives, negatives)
        made_up = lesson.ordinary.pages(_MADE_UP, [shown.counts.total() for shown in positives])
        return cls(
            reader,
            positives,
            negatives + lesson.likely_negatives(unlabelled),
            tuple(map(reader.shape, made_up)),
        )

    @cached_property
    def ordinary(self) -> Ordinary:
        """The rest of the web, as far as the lesson shows it."""
        language = self.reader.languages[0]
        if not self.negatives:
            return text_of(language)
        return Ordinary(language, [shown.vector for shown in self.negatives])

    def alike(self, pages: Sequence[Shown], least: float) -> list[bool]:
        """Which of these pages have so high a cosine with one of the positives."""

        def weighed(shown: Shown) -> Vector:
            return shown.vector if self.reader.plainly else centroid([shown.vector], self.ordinary)

        targets = [weighed(shown) for shown in self.positives] if pages else []
        return [max(dot(vector, target) for target in targets) >= least for vector in map(weighed, pages)]

    def likely_negatives(self, unlabelled: Sequence[Shown]) -> tuple[Shown, ...]:
        """The unlabelled pages that are less like the topic than nearly all the examples are."""
        if not unlabelled:
            return ()
        vectors = [shown.vector for shown in self.positives]
        if len(vectors) > 1:
            spies = [
                dot(vector, centroid(vectors[:place] + vectors[place + 1 :], self.ordinary))
                for place, vector in enumerate(vectors)
            ]
            border = mean(spies) - stdev(spies)
        else:
            border = _LONE
        topic = centroid(vectors, self.ordinary)
        return tuple(shown for shown in unlabelled if dot(shown.vector, topic) < border)

    def fold(self, number: int, folds: int) -> tuple[Lesson, Lesson]:
        """What is taught and what is held out, in the ``number``-th of so many folds."""
        taught = replace(
            self,
            positives=tuple(each for place, each in enumerate(self.positives) if place % folds != number),
            negatives=tuple(each for place, each in enumerate(self.negatives) if place % folds != number),
        )
        held = replace(self, positives=self.positives[number::folds], negatives=self.negatives[number::folds])
        return taught, held


def _show(pages: Iterable[Page], reader: Reader) -> list[Shown]:
    shown = []
    for page in pages:
        counts = reader.counts(page)
        shown.append(Shown(counts, reader.shape(counts), tuple(reader.windows(page))))
    return shown


def _distinct(pages: Iterable[Shown], known: Iterable[Shown] = ()) -> tuple[Shown, ...]:
    """The pages that have words, each once: a page shown twice teaches that copies are the topic."""
    seen = {frozenset(shown.counts.items()) for shown in known}
    found = []
    for shown in pages:
        key = frozenset(shown.counts.items())
        if key and key not in seen:
            seen.add(key)
            found.append(shown)
    return tuple(found)
