"""What the judges that learn from pages have in common: all but how they learn."""

from __future__ import annotations

from abc import abstractmethod
from heapq import nlargest
from typing import ClassVar, Self

from homing.judge.base import Brief, Judge
from homing.judge.trained.calibration import Calibration, Habits, for_pages, for_windows
from homing.judge.trained.features import Reader, spoken
from homing.judge.trained.heldout import HeldOut, hold_out
from homing.judge.trained.linear import Linear, Parts, Scorer
from homing.judge.trained.plain_data import damaged, mapping, sequence, text, texts
from homing.judge.trained.training_set import Lesson
from homing.model import Judgement, Page, State, Topic
from homing.parameters import parameters_of

_SHOWN = 12
"""Words that a judgement names."""
_KEYWORDS = 30
"""Words by which a strategy may know the topic."""
_DESCRIBED = 12
_SPELT = 50
"""Negatives that are searched for the words behind the stems: it is the examples' words that are shown."""


class Learnt(Judge):
    """A judge that is taught by example pages.

    Subclasses give ``learn``, which makes a scorer from a lesson, and their ``habits``. Everything else
    is here: judgements, ratings, what the topic is called, model files.
    """

    needs_training: ClassVar[bool] = True
    folds: ClassVar[int] = 5
    """How often it is taught again without a part of the pages, to calibrate it."""
    habits: ClassVar[Habits]
    """How its scores usually lie."""

    def __post_init__(self) -> None:
        super().__post_init__()
        lesson = self.lesson()
        self._reader = lesson.reader
        self._scorer = self.learn(lesson)
        held = hold_out(self.learn, lesson, self._scorer, self.folds)
        self._whole, self._short = self.calibrate(held), for_windows(held, self.habits)
        self._held: HeldOut | None = held
        """A judge from a file does not know."""
        shown = (*self.brief.examples, *self.brief.negatives[:_SPELT])
        self._words = spoken(self._scorer.weights(), shown, lesson.reader)

    @abstractmethod
    def learn(self, lesson: Lesson) -> Scorer:
        """A scorer of vectors, higher for pages on the topic."""

    def lesson(self) -> Lesson:
        """What there is to learn."""
        return Lesson.of(self.brief, self.name)

    def calibrate(self, held: HeldOut) -> Calibration:
        """The curve from scores of pages to chances."""
        return for_pages(held, self.habits)

    def judge(self, page: Page) -> Judgement:
        score, parts = self._scorer.explain(self._reader.vector(page))
        if not parts:  # no text, or another language: nothing speaks for the topic
            return self.judgement(0.0)
        slope, words = self._whole.slope, self._words
        why = [(words.get(term, term), slope * part) for term, part in heaviest(parts)]
        return self.judgement(self._whole.chance(score), tuple(why))

    def rate(self, texts: list[str]) -> list[float]:
        return list(map(self._short.chance, self._scorer.short_scores(texts, self._reader)))

    def topic(self) -> Topic:
        ranked = nlargest(_KEYWORDS, self._scorer.weights().items(), key=lambda each: each[1])
        keywords = [(self._words.get(term, term), weight) for term, weight in ranked if weight > 0]
        most = keywords[0][1] if keywords else 1.0
        listed = ", ".join(f"{word} {weight / most:.2f}" for word, weight in keywords[:_DESCRIBED])
        return Topic(
            text=self.brief.text,
            keywords=tuple(word for word, _ in keywords),
            language=self._reader.languages[0],
            description=f"words in {self._reader.languages[0]}, heaviest first: {listed}",
            examples=self.brief.examples,
            codes=self.brief.codes,
            rate=self.rate,
            held_out=tuple(map(self._whole.chance, self._held.positives)) if self._held else (),
            likeness=self._held.likeness if self._held else None,
        )

    # --- model files --------------------------------------------------------------------------------

    def state(self) -> State:
        return {
            "text": self.brief.text,
            "languages": list(self._reader.languages),
            "plainly": self._reader.plainly,
            "parameters": {name: getattr(self, name) for name in parameters_of(type(self))},
            "scorer": self._scorer.state(),
            "pages": self._whole.state(),
            "short texts": self._short.state(),
            "words": self._words,
        }

    @classmethod
    def from_state(cls, state: State) -> Self:
        languages = [text(code, "languages") for code in sequence(state.get("languages"), "languages")]
        if not languages:
            raise damaged("it names no language")
        judge = cls.__new__(cls)
        judge.brief = Brief(text=text(state.get("text"), "text"), language=languages[0])
        parameters = mapping(state.get("parameters"), "parameters")
        if set(parameters) != set(parameters_of(cls)):
            raise damaged(f'its parameters are not those of the judge "{cls.name}"')
        for name, value in parameters.items():
            setattr(judge, name, value)
        judge._reader = Reader(tuple(languages), state.get("plainly") is True)
        judge._scorer = judge.scorer_from(state.get("scorer"))
        judge._whole = Calibration.from_state(state.get("pages"))
        judge._short = Calibration.from_state(state.get("short texts"))
        judge._held = None
        judge._words = texts(state.get("words"), "words")
        return judge

    def scorer_from(self, state: object) -> Scorer:
        return Linear.from_state(state)


def heaviest(parts: Parts) -> Parts:
    """The few parts that decided, the heaviest first.

    >>> heaviest([("moth", 0.5), ("train", -2.0), ("wing", 1.0)])
    [('train', -2.0), ('wing', 1.0), ('moth', 0.5)]
    """
    # Sorting bare numbers is five times as fast as a heap of keyed pairs, and every page pays for it.
    least = sorted([abs(part) for _, part in parts])[-_SHOWN:][0]
    few = [each for each in parts if abs(each[1]) >= least]
    return sorted(few, key=lambda each: -abs(each[1]))[:_SHOWN]
