"""The commands to a running crawl, each with its payload: the one table behind Python, REST, forms and inbox.

``Crawl`` has a method of the name of each; the fields of its payload are the parameters of that method.

>>> read_verb("set_pace", {"delay": 2.5})
SetPace(kind='set_pace', delay=2.5, pages_per_second=None, reset=False)
>>> read_verb("set_pace", {"delay": -1})
Traceback (most recent call last):
homing.config.complaints.ConfigError: delay must be at least 0, not -1
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from homing.config.complaints import complaint
from homing.config.values import PagesPerSecond, Seconds, Seeds
from homing.errors import UsageError, did_you_mean


def _check_pattern(pattern: str) -> str:
    if not pattern.strip():
        raise ValueError("must be a host, or a glob over whole URLs")
    return pattern.strip()


def _check_not_empty(urls: tuple[str, ...]) -> tuple[str, ...]:
    if not urls:
        raise ValueError("must hold at least one URL")
    return urls


_MOST_SEEDS = 10_000
_URL = {"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"}

Pattern = Annotated[
    str, Field(max_length=2_000, json_schema_extra={"pattern": r"\S"}), AfterValidator(_check_pattern)
]
SomeSeeds = Annotated[
    Seeds,
    Field(max_length=_MOST_SEEDS),
    AfterValidator(_check_not_empty),
    WithJsonSchema({"type": "array", "items": _URL, "minItems": 1, "maxItems": _MOST_SEEDS}),
]


class _Command(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True, frozen=True, extra="forbid", strict=True)

    @classmethod
    def verb(cls) -> str:
        """Return its name, which is that of the method of ``Crawl``."""
        name: str = get_args(cls.model_fields["kind"].annotation)[0]
        return name

    @classmethod
    def read(cls, payload: Mapping[str, object]) -> Self:
        """Return the command with this payload; ``UsageError`` says in one line what is wrong with it."""
        try:
            return cls.model_validate({**payload, "kind": cls.verb()})
        except ValidationError as error:
            raise complaint(error, cls) from None

    def payload(self) -> dict[str, object]:
        """Return the fields that were given, as JSON has them."""
        return self.model_dump(mode="json", exclude={"kind"}, exclude_unset=True)


class Pause(_Command):
    """Send no more requests until ``resume``."""

    kind: Literal["pause"]


class Resume(_Command):
    """Send requests again."""

    kind: Literal["resume"]


class Stop(_Command):
    """Stop the crawl once the requests in flight are finished."""

    kind: Literal["stop"]


class AddSeeds(_Command):
    """Add seeds."""

    kind: Literal["add_seeds"]
    urls: SomeSeeds


class Block(_Command):
    """Fetch no such URL from now on, and remove those queued."""

    kind: Literal["block"]
    pattern: Pattern
    """A host, which includes its subdomains, or a glob over whole URLs."""


class Unblock(_Command):
    """Lift a block, and queue the URLs again that it has refused."""

    kind: Literal["unblock"]
    pattern: Pattern
    """As it was blocked."""


class Label(_Command):
    """Label a fetched page: is it on the topic?"""

    kind: Literal["label"]
    url: Annotated[str, Field(max_length=10_000)]
    relevant: bool


class SetPace(_Command):
    """Set the delay between two requests to one host, the maximum rate over all hosts, or both.

    They hold at any time of day, and in later runs of the crawl, until ``reset``.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["delay"], "properties": {"delay": {"type": "number"}}},
                {"required": ["pages_per_second"]},
            ]
        }
    )

    kind: Literal["set_pace"]
    delay: Seconds | None = None
    """Seconds. Default: unchanged."""
    pages_per_second: Annotated[
        PagesPerSecond | None, BeforeValidator(lambda rate: None if rate == math.inf else rate)
    ] = None
    """Null: no limit. Default: unchanged."""
    reset: bool = False
    """Return to the limits of the configuration; a limit given beside it is set after that."""

    @property
    def rate(self) -> float | None:
        """The rate as Python has it, where infinity is no limit, and ``None`` leaves it unchanged."""
        is_unlimited = self.pages_per_second is None and "pages_per_second" in self.model_fields_set
        return math.inf if is_unlimited else self.pages_per_second

    @model_validator(mode="after")
    def _has_some(self) -> Self:
        if self.delay is None and self.rate is None and not self.reset:
            raise ValueError("nothing to set: give delay, pages_per_second or reset")
        return self


class Relearn(_Command):
    """Train the judge on the labels, and score all pages and frontier URLs again."""

    kind: Literal["relearn"]


class Snapshot(_Command):
    """Write ``pulse.json`` for the next twenty seconds: the head of the frontier, the hosts, memory."""

    kind: Literal["snapshot"]


Verb: TypeAlias = Pause | Resume | Stop | AddSeeds | Block | Unblock | Label | SetPace | Relearn | Snapshot
VERBS: Mapping[str, type[Verb]] = {command.verb(): command for command in get_args(Verb)}


def read_verb(kind: str, payload: Mapping[str, object]) -> Verb:
    """Return a command; ``UsageError`` says in one line what is wrong with it.

    >>> read_verb("blok", {})
    Traceback (most recent call last):
    homing.errors.UsageError: there is no command "blok"; did you mean "block"?
    """
    if kind not in VERBS:
        raise UsageError(f'there is no command "{kind}"{did_you_mean(kind, VERBS)}')
    return VERBS[kind].read(payload)
