"""The base of judges that are trained on pages: everything but how they are fitted."""

from __future__ import annotations

from abc import abstractmethod
from heapq import nlargest
from typing import ClassVar, Self

from homing.judge.base import Brief, Judge
from homing.judge.trained.calibration import Calibration, ScorePrior, for_pages, for_windows
from homing.judge.trained.features import Reader, surface_forms
from homing.judge.trained.held_out import HeldOut, hold_out
from homing.judge.trained.linear import Linear, Parts, Scorer
from homing.judge.trained.plain_data import damaged, mapping, sequence, text, texts
from homing.judge.trained.training_set import TrainingSet
from homing.model import Judgement, Page, State, Topic
from homing.parameters import parameters_of

_SHOWN = 12
"""Maximum of words in a judgement."""
_KEYWORDS = 30
"""Maximum of keywords that a strategy is given."""
_DESCRIBED = 12
_NEGATIVES_READ = 50
"""Negatives that are searched for the words behind the stems; the examples have most of those to show."""


class TrainedJudge(Judge):
    """A judge that is trained on example pages.

    Subclasses give ``fit``, which makes a scorer from a training set, and their ``score_prior``. Everything
    else is here: judgements, ratings, the description of the topic, model files.
    """

    needs_training: ClassVar[bool] = True
    folds: ClassVar[int] = 5
    """How often it is fitted again without a part of the pages, to calibrate it."""
    score_prior: ClassVar[ScorePrior]
    """Where its scores typically lie."""

    def __post_init__(self) -> None:
        super().__post_init__()
        training_set = self.training_set()
        self._reader = training_set.reader
        self._scorer = self.fit(training_set)
        held = hold_out(self.fit, training_set, self._scorer, self.folds)
        self._whole, self._short = self.calibrate(held), for_windows(held, self.score_prior)
        self._held: HeldOut | None = held
        """``None`` for a judge from a model file."""
        pages = (*self.brief.examples, *self.brief.negatives[:_NEGATIVES_READ])
        self._words = surface_forms(self._scorer.weights(), pages, training_set.reader)

    @abstractmethod
    def fit(self, training_set: TrainingSet) -> Scorer:
        """Fit a scorer of vectors, higher for pages on the topic."""

    def training_set(self) -> TrainingSet:
        """Return the pages to fit it to."""
        return TrainingSet.of(self.brief, self.name)

    def calibrate(self, held: HeldOut) -> Calibration:
        """Return the curve from scores of pages to probabilities."""
        return for_pages(held, self.score_prior)

    def judge(self, page: Page) -> Judgement:
        score, parts = self._scorer.explain(self._reader.vector(page))
        if not parts:  # no text, or another language
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
    """Return the few parts that decided, the heaviest first.

    >>> heaviest([("moth", 0.5), ("train", -2.0), ("wing", 1.0)])
    [('train', -2.0), ('wing', 1.0), ('moth', 0.5)]
    """
    # Sorting bare numbers is five times as fast as a heap of keyed pairs, and every page pays for it.
    least = sorted([abs(part) for _, part in parts])[-_SHOWN:][0]
    few = [each for each in parts if abs(each[1]) >= least]
    return sorted(few, key=lambda each: -abs(each[1]))[:_SHOWN]
