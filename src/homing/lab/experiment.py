"""Experiments as files: which strategies, on which topics of which web, under which rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from homing.config.complaints import complaint
from homing.config.sections import Section
from homing.config.toml import read_toml
from homing.config.values import hyphenate
from homing.lab.replay import Outside

Share = Annotated[float | int, Field(gt=0, le=1_000_000)]
"""A share of the reachable pages up to 1.0; above, a number of pages."""
Parameters = dict[str, object]
Tolerance = Annotated[tuple[float, float], Field(strict=False)]
"""A value, and the tolerance of a result."""


class Contender(Section):
    """A strategy, and its parameters that are not the default."""

    name: str
    parameters: Parameters = Field(default_factory=dict)
    label: str = ""
    """Its name in tables."""

    @property
    def title(self) -> str:
        """The label, or else the name and the parameters that were set.

        >>> Contender(name="crf", parameters={"decode": "viterbi"}).title
        'crf decode=viterbi'
        """
        return self.label or " ".join(
            [self.name, *(f"{key}={value}" for key, value in self.parameters.items())]
        )


def _contender(given: object) -> object:
    """Return a contender from a name, or from a table of a name and parameters."""
    if isinstance(given, str):
        return {"name": hyphenate(given)}
    if isinstance(given, dict) and isinstance(given.get("name"), str):
        rest = {key: value for key, value in given.items() if key not in ("name", "label")}
        return {"name": hyphenate(given["name"]), "label": given.get("label", ""), "parameters": rest}
    return given


class TopicEntry(Section):
    """A topic, and its seeds."""

    label: str = ""
    """Pages with this label, or one below it, are the targets."""
    urls: str = ""
    """File with the URLs of the targets, one per line."""
    seeds: Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    name: str = ""
    text: str = ""
    """The topic in words, for judges that read them."""
    cluster: str = ""
    """Units of one cluster are not independent: intervals resample clusters."""

    @property
    def title(self) -> str:
        """The name, or the label, or the name of the file of targets."""
        return self.name or self.label or Path(self.urls).stem

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.label) == bool(self.urls):
            raise ValueError("needs a label or a file of urls, one of the two")
        return self


class Experiment(Section):
    """The content of an experiment file."""

    web: str
    exclude: Annotated[tuple[str, ...], Field(strict=False)] = ()
    budget: Share = 0.10
    curve_to: Share = 0.50
    draws: Annotated[int, Field(ge=1, le=1000)] = 5
    examples: Annotated[int, Field(ge=0, le=1000)] = 8
    """Example pages that judge and strategy see; with 0 they have the ``text`` of the topic alone."""
    judge: Annotated[Contender, BeforeValidator(_contender)] = Contender(name="examples")
    fit: str = "self"
    """``self``, ``prefix``, or another recorded web."""
    outside: Outside = "ignore"
    truth: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Judges whose majority decides what is a target. Default: the labels decide."""
    strategies: Annotated[
        tuple[Annotated[Contender, BeforeValidator(_contender)], ...], Field(min_length=1, strict=False)
    ]
    topics: Annotated[tuple[TopicEntry, ...], Field(min_length=1, strict=False)]
    expected: dict[str, dict[str, Tolerance]] = Field(default_factory=dict)
    """Expected values by strategy and measure."""

    @model_validator(mode="before")
    @classmethod
    def _from_words_alone(cls, given: object) -> object:
        """Default to one draw and a judge of words where there are no examples."""
        if isinstance(given, dict) and given.get("examples") == 0:
            return {"draws": 1, "judge": "keywords", **given}
        return given

    @model_validator(mode="after")
    def _can_be_judged(self) -> Self:
        wordless = next((topic.title for topic in self.topics if not topic.text), None)
        if self.examples == 0 and wordless:
            raise ValueError(f'without examples needs a text for every topic: "{wordless}" has none')
        if self.examples == 0 and self.draws > 1:
            raise ValueError("without examples needs draws = 1: all draws would be the same")
        return self

    @field_validator("strategies", "topics")
    @classmethod
    def _all_different(cls, given: tuple[Contender | TopicEntry, ...]) -> tuple[Contender | TopicEntry, ...]:
        titles = [each.title for each in given]
        twice = next((title for title in titles if titles.count(title) > 1), None)
        if twice:
            raise ValueError(f'has "{twice}" twice')
        return given

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; webs and files of URLs that it names are relative to its folder."""
        try:
            experiment = cls.model_validate(read_toml(path))
        except ValidationError as error:
            raise complaint(error, cls, str(path)) from None
        return experiment._beside(path.parent)

    def _beside(self, folder: Path) -> Self:
        topics = tuple(
            each.model_copy(update={"urls": str(folder / each.urls)}) if each.urls else each
            for each in self.topics
        )
        fit = self.fit if self.fit in ("self", "prefix") else str(folder / self.fit)
        return self.model_copy(update={"web": str(folder / self.web), "topics": topics, "fit": fit})

    def pages(self, share: float | int, reachable: int) -> int:
        """Return a share of the reachable pages as a number of pages; above one, it is a number already."""
        is_share = isinstance(share, float) and share <= 1
        return max(1, round(share * reachable)) if is_share else int(share)
