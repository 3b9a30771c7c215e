"""The sections of the configuration: one frozen model each.

Every number has a lower and an upper bound. A slip of the keyboard (a delay of -1, a million
connections) is caught here in one line instead of by somebody's web server.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from homing.config.sources import stem_of
from homing.config.values import (
    Address,
    Codes,
    Contact,
    Count,
    File,
    Headers,
    HeaderText,
    Language,
    Name,
    Networks,
    PagesPerSecond,
    Parameter,
    Patience,
    Proxy,
    Seconds,
    Seeds,
    Sources,
    Texts,
    TimeOfDay,
    hyphenate,
)


class Section(BaseModel):
    """A section of the file: frozen, and without room for keys it does not know."""

    # populate_by_name, because a time window's "from" cannot be a name in Python.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", populate_by_name=True)


class TopicSection(Section):
    """``[topic]``: what the crawl is about, in whatever way its user can say it."""

    text: str = ""
    keywords: Texts = ()
    language: Language = ""
    examples: Sources = ()
    negatives: Sources = ()
    codes: Codes = ()
    model: File = ""

    @property
    def title(self) -> str:
        """What to call it: as it was said, or else after the first of what was given.

        >>> TopicSection(examples=("https://a.example/gardens/butterflies.html",)).title
        'like butterflies'
        """
        if self.text.strip() or self.keywords:
            return self.text.strip() or " ".join(self.keywords)
        if self.examples:
            return f"like {stem_of(self.examples[0])}"
        if self.codes:
            return f"code {' '.join(self.codes)}"
        return stem_of(self.model)


class SeedsSection(Section):
    """``[seeds]``: where it starts. A ``file`` has one URL a line; ``#`` begins a comment."""

    urls: Seeds = ()
    file: File = ""


class ScopeSection(Section):
    """``[scope]``: which URLs may be taken at all. Patterns are globs over the whole URL."""

    within: Literal["any", "domain", "host", "prefix"] = "any"
    include: Texts = ()
    exclude: Texts = ()
    block: Texts = ()
    max_depth: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    pages_per_host: Count | None = None
    pages_per_domain: Count | None = None
    language: Language = ""
    follow_nofollow: bool = True
    avoid_traps: bool = True


class FetchSection(Section):
    """``[fetch]``: how pages are asked for, and how long we wait for them."""

    concurrency: Annotated[int, Field(ge=1, le=4_096)] = 64
    user_agent: HeaderText = ""
    contact: Contact = ""
    headers: Headers = Field(default_factory=dict)
    proxy: Proxy = ""
    connect_to: Address = ""
    allow_network: Networks = ()
    max_bytes: Annotated[int, Field(ge=1_024, le=1_073_741_824)] = 10 * 1_048_576
    first_byte_seconds: Patience = 20.0
    total_seconds: Patience = 60.0
    min_bytes_per_second: Annotated[int, Field(ge=0, le=1_000_000)] = 100
    retries: Annotated[int, Field(ge=0, le=20)] = 2
    retry_base_seconds: Seconds = 30.0
    sitemaps: bool = True
    workers: Annotated[int, Field(ge=0, le=256)] = 0


class WindowSection(Section):
    """``[[pace.windows]]``: another pace between two times of day, by the local clock.

    A window whose ``to`` is earlier than its ``from`` runs past midnight.
    """

    start: TimeOfDay = Field(alias="from")
    end: TimeOfDay = Field(alias="to")
    delay: Seconds | None = None
    pages_per_second: PagesPerSecond | None = None

    @model_validator(mode="after")
    def _is_not_empty(self) -> WindowSection:
        if self.start == self.end:
            raise ValueError("needs a from and a to that differ")
        return self


class PaceSection(Section):
    """``[pace]``: how much we ask of a host (``delay``), and of the network as a whole."""

    delay: Seconds = 1.0
    pages_per_second: PagesPerSecond | None = None
    bytes_per_second: Annotated[int, Field(ge=1, le=1_000_000_000_000)] | None = None
    crawl_delay_cap: Seconds = 60.0
    retry_after_cap: Annotated[float, Field(ge=0, le=604_800, allow_inf_nan=False)] = 3_600.0
    windows: Annotated[tuple[WindowSection, ...], Field(strict=False)] = ()


class PartSection(Section):
    """A part by its short name. Every other key of the section is a parameter of that part.

    Which parameters there are is known to the part alone; it is checked when the part is made.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Parameter] = Field(init=False)

    name: Name = ""

    @property
    def parameters(self) -> dict[str, object]:
        return dict(self.__pydantic_extra__ or {})

    def goes_by(self, name: object) -> bool:
        """Is that its name? A part that was given none will take any."""
        return isinstance(name, str) and (not self.name or hyphenate(name) == self.name)


class JudgeSection(PartSection):
    """``[judge]``: who says what is relevant. Without a name, whoever fits what is said of the topic."""

    name: Name = ""
    relearn_every: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class StrategySection(PartSection):
    """``[strategy]``: who says what is next."""

    name: Name = "adaptive"
    model: File = ""
    random_seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0


class StoreSection(Section):
    """``[store]``: which bodies are archived, how large a WARC file grows, whether words are indexed."""

    keep: Literal["all", "relevant"] = "all"
    warc_megabytes: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    index: bool = True


class RefreshSection(Section):
    """``[refresh]``: after how many days a page is asked for again that has never been yet."""

    days: Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)] = 7.0


class StopSection(Section):
    """``[stop]``: when it is enough. Totals: going on with a crawl counts what it already has."""

    pages: Count | None = None
    minutes: Annotated[float, Field(gt=0, le=5_256_000, allow_inf_nan=False)] | None = None
    relevant: Count | None = None
    yield_below: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] | None = None
