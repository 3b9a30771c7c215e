"""The base of all judges, and the brief: what a user may say of the topic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from homing.errors import UsageError
from homing.model import Judgement, Page, State, Topic, Why
from homing.parameters import Argument, Part

RELEVANT = 0.5
"""Every judge is calibrated so that a page is relevant from this score on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The topic as the user describes it. A judge uses what it can of it."""

    text: str = ""
    """A sentence, or words and phrases separated by commas."""
    keywords: tuple[str, ...] = ()
    """Words or phrases any of which is on the topic."""
    language: str = ""
    """Code of the language of the topic; identified from its words if empty."""
    examples: tuple[Page, ...] = ()
    """Pages on the topic."""
    negatives: tuple[Page, ...] = ()
    """Pages off the topic."""
    unlabelled: tuple[Page, ...] = ()
    """Pages without a label, such as those of an earlier crawl; most are off the topic."""
    codes: tuple[str, ...] = ()
    """Numbers of a decimal taxonomy; a page is on the topic if its number begins with one of them."""


def as_brief(given: Brief | str) -> Brief:
    """Return the brief; a text alone is one, too."""
    return Brief(text=given) if isinstance(given, str) else given


class Judge(Part, ABC):
    """Says how much a page is about the topic: 0 not at all, 1 altogether, relevant from one half on.

    A judge is built from a ``Brief`` and from parameters that are keywords only, kept under their own
    names. It never changes: the same page gets the same judgement. It is copied into the processes that
    parse big pages, so it must survive pickling.

    Subclasses give ``name``, ``judge`` and ``rate``.
    """

    kind: ClassVar[str] = "judge"
    brief: Argument[Brief | str, Brief] = Argument(as_brief, kw_only=False)
    """The topic as the user describes it."""

    def __init__(self, brief: Brief | str, **parameters: object) -> None:
        self.brief = brief
        super().__init__(**parameters)

    @abstractmethod
    def judge(self, page: Page) -> Judgement:
        """Return how much the page is about the topic, and which words decided."""

    @abstractmethod
    def rate(self, texts: list[str]) -> list[float]:
        """Rate how much each short text (an anchor, twenty words around a link) is about the topic, 0 to 1.

        Calibrated separately from whole pages: an anchor may be a single word. One call a page.
        """

    def topic(self) -> Topic:
        """Return what a strategy may know of the topic."""
        return Topic(
            text=self.brief.text,
            keywords=self.brief.keywords,
            language=self.brief.language or "en",
            examples=self.brief.examples,
            codes=self.brief.codes,
            rate=self.rate,
        )

    def state(self) -> State:
        """Return what was fitted, as plain data that can be written as JSON; see ``from_state``."""
        raise UsageError(f'the judge "{self.name}" learns nothing that could be kept in a model')

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Return the judge that ``state`` was taken from. Damaged data is a ``ModelError``."""
        raise UsageError(f'the judge "{cls.name}" learns nothing that could be kept in a model')

    def judgement(self, score: float, why: Why = ()) -> Judgement:
        """Return a judgement by this judge."""
        return Judgement(score=score, relevant=score >= RELEVANT, judge=self.name, why=why)
