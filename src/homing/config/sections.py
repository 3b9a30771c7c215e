"""The sections of the configuration: one frozen model each.

A setting is declared here and nowhere else: its type and bounds, its default, the sentence that explains it
and its option on the command line. ``homing crawl``, the form of the web app and docs/configuration.md are
derived from it (``keys.py``); after a change, run ``make pages``.

Every number has a lower and an upper bound. A slip of the keyboard (a delay of -1, a million
connections) is caught here in one line instead of by a host's web server.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from homing.config.setting import Setting
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
    Origins,
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
    """``[topic]``: what the crawl is about, in whatever form its user has it."""

    text: Annotated[str, Setting("Topic as free text.", "TOPIC")] = ""
    keywords: Annotated[Texts, Setting("Words or phrases, any of which is on the topic.")] = ()
    language: Annotated[
        Language, Setting("Language of the topic, such as en; detected if empty.", "--language", "CODE")
    ] = ""
    examples: Annotated[
        Sources,
        Setting("Page on the topic: a file, a folder of files, or a URL.", "--example", "PATH|URL"),
    ] = ()
    negatives: Annotated[
        Sources,
        Setting("Page off the topic: a file, a folder of files, or a URL.", "--not-example", "PATH|URL"),
    ] = ()
    codes: Annotated[
        Codes,
        Setting(
            "Number of the topic in a decimal taxonomy, such as 140 (homing taxonomy find WORDS).",
            "--code",
            "CODE",
        ),
    ] = ()
    model: Annotated[File, Setting("Model file written by homing train.", "--model", "FILE")] = ""

    @property
    def title(self) -> str:
        """The name of the topic: its text, or else the first of what was given.

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
    """``[seeds]``: where the crawl starts."""

    urls: Annotated[Seeds, Setting("URL to start from.", "SEED")] = ()
    file: Annotated[
        File,
        Setting("File of further seeds, one URL per line; # begins a comment.", "--seed-file", "FILE"),
    ] = ""


class ScopeSection(Section):
    """``[scope]``: which URLs may be fetched at all.

    Globs are over the whole URL: ``*`` is any run of characters, ``?`` any one.
    """

    within: Annotated[
        Literal["any", "domain", "host", "prefix"],
        Setting("Follow links anywhere, or within the seeds' domains, hosts or folders.", "--scope"),
    ] = "any"
    include: Annotated[Texts, Setting("Fetch only URLs that match this glob.", "--include", "GLOB")] = ()
    exclude: Annotated[Texts, Setting("Fetch no URLs that match this glob.", "--exclude", "GLOB")] = ()
    block: Annotated[Texts, Setting("Host (with its subdomains) or glob that is never fetched.")] = ()
    max_depth: Annotated[
        int | None,
        Field(ge=0, le=1_000_000),
        Setting("Follow links up to N steps away from a seed.", "--max-depth"),
    ] = None
    pages_per_host: Annotated[
        Count | None, Setting("Fetch at most N pages from one host.", "--pages-per-host")
    ] = None
    pages_per_domain: Annotated[
        Count | None,
        Setting("Fetch at most N pages from the hosts of one registered domain.", "--pages-per-domain"),
    ] = None
    language: Annotated[
        Language, Setting("Only pages in this language, such as en, are relevant.", "--language", "CODE")
    ] = ""
    follow_nofollow: Annotated[bool, Setting("Follow links marked rel=nofollow.")] = True
    trust: Annotated[
        Texts,
        Setting("Registered domain that is never held back, however fast it grows.", "--trust", "DOMAIN"),
    ] = ()
    avoid_traps: Annotated[
        bool, Setting("Skip URLs whose pattern brings nothing new: calendars, sessions, loops.")
    ] = True


class FetchSection(Section):
    """``[fetch]``: how pages are fetched, and what one response may cost.

    A host that takes longer than 2 s to answer does not count in ``concurrency``, up to four times as many.
    The rules of a robots.txt address the product in ``user_agent``.
    """

    concurrency: Annotated[
        int,
        Field(ge=1, le=4_096),
        Setting("Fetch from N hosts at once; with 1 a crawl can be repeated exactly.", "--concurrency"),
    ] = 64
    user_agent: Annotated[
        HeaderText,
        Setting("Product and version sent as the User-Agent, e.g. plantbot/2.0.", "--user-agent", "NAME"),
    ] = ""
    contact: Annotated[
        Contact,
        Setting("Contact address sent in the User-Agent, e.g. you@example.org.", "--contact", "URL|MAIL"),
    ] = ""
    headers: Annotated[
        Headers,
        Setting(
            "Header for the origins of the seeds given with it; Accept-Language and the like go to all.",
            "--header",
            "NAME:VALUE",
        ),
    ] = Field(default_factory=dict)
    headers_for: Annotated[
        Origins,
        Setting("Origin that the headers are for, e.g. https://example.org; if none, those of the seeds."),
    ] = ()
    proxy: Annotated[Proxy, Setting("Fetch through this proxy.", "--proxy", "URL")] = ""
    connect_to: Annotated[
        Address,
        Setting("Connect to this server for every URL, in plain HTTP.", "--connect-to", "HOST:PORT"),
    ] = ""
    allow_network: Annotated[
        Networks,
        Setting("Private address range that may be accessed, e.g. 10.0.0.0/8.", "--allow-network", "CIDR"),
    ] = ()
    max_bytes: Annotated[
        int,
        Field(ge=1_024, le=1_073_741_824),
        Setting("Maximum bytes of a page, decoded; the rest is cut off."),
    ] = 10 * 1_048_576
    first_byte_seconds: Annotated[
        Patience, Setting("Maximum seconds until the headers are complete, connecting included.")
    ] = 20.0
    total_seconds: Annotated[Patience, Setting("Maximum seconds for a whole response.")] = 60.0
    min_bytes_per_second: Annotated[
        int, Field(ge=0, le=1_000_000), Setting("Minimum rate of a download; a slower one is abandoned.")
    ] = 100
    retries: Annotated[
        int, Field(ge=0, le=20), Setting("Further attempts after a failure that may be temporary.")
    ] = 2
    retry_base_seconds: Annotated[
        Seconds,
        Setting("Seconds before the second attempt; each further one waits four times as long."),
    ] = 30.0
    sitemaps: Annotated[bool, Setting("Read the sitemaps that robots.txt names.")] = True
    workers: Annotated[
        int,
        Field(ge=0, le=256),
        Setting("Parse pages in N processes; with 0 only large pages get one.", "--workers"),
    ] = 0


class WindowSection(Section):
    """``[[pace.windows]]``: another rate limit between two times of day, by the local clock.

    A window whose ``to`` is earlier than its ``from`` runs past midnight.
    """

    start: TimeOfDay = Field(alias="from")
    end: TimeOfDay = Field(alias="to")
    delay: Seconds | None = None
    pages_per_second: PagesPerSecond | None = None

    @model_validator(mode="after")
    def _check_length(self) -> WindowSection:
        if self.start == self.end:
            raise ValueError("needs a from and a to that differ")
        return self


class PaceSection(Section):
    """``[pace]``: the rate limits, those of a host and those of the whole crawl."""

    delay: Annotated[Seconds, Setting("Seconds between two requests to one host.", "--delay", "SECONDS")] = (
        1.0
    )
    pages_per_second: Annotated[
        PagesPerSecond | None, Setting("Fetch at most N pages per second from all hosts.")
    ] = None
    bytes_per_second: Annotated[
        int | None,
        Field(ge=1, le=1_000_000_000_000),
        Setting("Download at most N bytes per second from all hosts.", "--bytes-per-second"),
    ] = None
    crawl_delay_cap: Annotated[Seconds, Setting("Cap in seconds on the Crawl-delay of a robots.txt.")] = 60.0
    retry_after_cap: Annotated[
        float,
        Field(ge=0, le=604_800, allow_inf_nan=False),
        Setting("Cap in seconds on the Retry-After of a response."),
    ] = 3_600.0
    windows: Annotated[
        tuple[WindowSection, ...],
        Field(strict=False),
        Setting("Times of day with rate limits of their own."),
    ] = ()


class PartSection(Section):
    """A part by its short name. Every other key of the section is a parameter of that part.

    Only the part knows its parameters; they are checked when it is created.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Parameter] = Field(init=False)

    name: Name = ""

    @property
    def parameters(self) -> dict[str, object]:
        return dict(self.__pydantic_extra__ or {})

    def goes_by(self, name: object) -> bool:
        """Return whether that is its name. A part without a name accepts any."""
        return isinstance(name, str) and (not self.name or hyphenate(name) == self.name)


class JudgeSection(PartSection):
    """``[judge]``: what decides which pages are relevant. Other keys are parameters (``homing judges``)."""

    name: Annotated[
        Name,
        Setting(
            "Judge that decides which pages are relevant; if empty, the one that suits the topic.",
            "--judge",
            "NAME",
        ),
    ] = ""
    relearn_every: Annotated[
        int,
        Field(ge=0, le=1_000_000),
        Setting("Retrain the judge after every N labels; with 0 only on command."),
    ] = 0


class StrategySection(PartSection):
    """``[strategy]``: what orders the frontier. Other keys are parameters (``homing strategies``)."""

    name: Annotated[Name, Setting("Strategy that orders the frontier.", "--strategy", "NAME")] = "adaptive"
    model: Annotated[File, Setting("Model file written by homing fit.", "--model", "FILE")] = ""
    random_seed: Annotated[
        int,
        Field(ge=0, le=2**63 - 1),
        Setting("Random seed of strategies that draw at random.", "--random-seed"),
    ] = 0


class StoreSection(Section):
    """``[store]``: what is archived and indexed."""

    keep: Annotated[
        Literal["all", "relevant"], Setting("Archive the bodies of all pages, or only of relevant ones.")
    ] = "all"
    warc_megabytes: Annotated[
        int, Field(ge=1, le=100_000), Setting("Size at which a new WARC file begins.")
    ] = 1_000
    index: Annotated[
        bool, Setting("Keep the full-text index up to date; if false, homing search updates it when run.")
    ] = True


class RefreshSection(Section):
    """``[refresh]``: when ``homing refresh`` fetches a page again."""

    days: Annotated[
        float,
        Field(gt=0, le=36_500, allow_inf_nan=False),
        Setting("Days after which a page that was fetched only once is due again."),
    ] = 7.0


class StopSection(Section):
    """``[stop]``: when the crawl ends. Limits are totals over all runs of the crawl."""

    pages: Annotated[Count | None, Setting("Stop after N pages.", "--pages")] = None
    minutes: Annotated[
        float | None,
        Field(gt=0, le=5_256_000, allow_inf_nan=False),
        Setting("Stop after N minutes.", "--minutes"),
    ] = None
    relevant: Annotated[Count | None, Setting("Stop after N relevant pages.", "--relevant")] = None
    yield_below: Annotated[
        float | None,
        Field(gt=0, le=100, allow_inf_nan=False),
        Setting(
            "Stop when fewer than N relevant pages are expected among the next hundred.", "--yield-below"
        ),
    ] = None
