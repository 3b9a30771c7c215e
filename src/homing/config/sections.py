"""The sections of the configuration: one frozen model each.

Every number has a lower and an upper bound. A slip of the keyboard (a delay of -1, a million
connections) is caught here in one line instead of by somebody's web server.
"""

from __future__ import annotations

import ipaddress
import re
from datetime import time
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from homing.config.seeds import check_seed

Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Patience = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
PagesPerSecond = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]

Texts = Annotated[tuple[str, ...], Field(strict=False)]
"""A list in the file, a tuple in memory: a section never changes once it is read."""


def _check_language(code: str) -> str:
    if code and not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?", code):
        raise ValueError(f'must be a language code such as "en", not "{code}"')
    return code.lower()


def _check_header_text(text: str) -> str:
    # A line break in a header would start the next one (request splitting).
    if re.search(r"[\x00-\x1f\x7f]", text):
        raise ValueError("must not contain line breaks or other control characters")
    return text


def _check_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise ValueError(f'holds "{name}", which is no header name')
        _check_header_text(value)
    return headers


def _check_networks(networks: tuple[str, ...]) -> tuple[str, ...]:
    for network in networks:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise ValueError(
                f'must be address ranges such as "10.0.0.0/8" or "127.0.0.1", not "{network}"'
            ) from None
    return networks


def _check_proxy(url: str) -> str:
    if url and not re.fullmatch(r"https?://[^\s/]+/?", url):
        raise ValueError(f'must be a URL such as "http://localhost:3128", not "{url}"')
    return url


def _check_connect_to(address: str) -> str:
    """HOST:PORT, with an IPv6 address in brackets."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(\d{1,5})", address)
    if address and not (match and 1 <= int(match[2]) <= 65_535):
        raise ValueError(f'must be HOST:PORT such as "127.0.0.1:8080", not "{address}"')
    return address


def _check_contact(contact: str) -> str:
    if contact and not re.fullmatch(r"https?://\S+|[^\s@]+@[^\s@]+", contact):
        raise ValueError(f'must be a mail address or an http(s) URL, not "{contact}"')
    return contact


def _check_seeds(urls: tuple[str, ...]) -> tuple[str, ...]:
    for url in urls:
        check_seed(url)
    return tuple(dict.fromkeys(urls))


def _read_time(value: object) -> time:
    if isinstance(value, time):
        return value
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f'must be a time of day such as "22:30", not {value!r}')
    return time(int(match[1]), int(match[2]))


def _hyphenate(name: str) -> str:
    return name.replace("_", "-")


def _check_parameter(value: object) -> object:
    """Parameters of a judge or a strategy are plain: no tables, no dates."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, bool | int | float | str) for item in items):
        raise ValueError("must be a text, a number, true or false, or a list of these")
    return value


Name = Annotated[str, AfterValidator(_hyphenate)]
"""A part's short name; ``link_context`` is taken for ``link-context``."""
Language = Annotated[str, AfterValidator(_check_language)]
HeaderText = Annotated[str, AfterValidator(_check_header_text)]
TimeOfDay = Annotated[time, BeforeValidator(_read_time)]
Parameter = Annotated[object, BeforeValidator(_check_parameter)]


class Section(BaseModel):
    """A section of the file: frozen, and without room for keys it does not know."""

    # populate_by_name, because a time window's "from" cannot be a name in Python.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", populate_by_name=True)


class TopicSection(Section):
    """``[topic]``: what the crawl is about."""

    text: str = ""
    keywords: Texts = ()
    language: Language = ""


class SeedsSection(Section):
    """``[seeds]``: where it starts. A ``file`` has one URL a line; ``#`` begins a comment."""

    urls: Annotated[Texts, AfterValidator(_check_seeds)] = ()
    file: str = ""


class ScopeSection(Section):
    """``[scope]``: which URLs may be taken at all. Patterns are globs over the whole URL."""

    within: Literal["any", "domain", "host", "prefix"] = "any"
    include: Texts = ()
    exclude: Texts = ()
    block: Texts = ()
    max_depth: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    pages_per_host: Count | None = None
    language: Language = ""
    follow_nofollow: bool = True


class FetchSection(Section):
    """``[fetch]``: how pages are asked for, and how long we wait for them."""

    concurrency: Annotated[int, Field(ge=1, le=4_096)] = 64
    user_agent: HeaderText = ""
    contact: Annotated[HeaderText, AfterValidator(_check_contact)] = ""
    headers: Annotated[dict[str, str], AfterValidator(_check_headers)] = Field(default_factory=dict)
    proxy: Annotated[str, AfterValidator(_check_proxy)] = ""
    connect_to: Annotated[str, AfterValidator(_check_connect_to)] = ""
    allow_network: Annotated[Texts, AfterValidator(_check_networks)] = ()
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
        return isinstance(name, str) and _hyphenate(name) == self.name


class JudgeSection(PartSection):
    """``[judge]``: who says what is relevant."""

    name: Name = "keywords"


class StrategySection(PartSection):
    """``[strategy]``: who says what is next."""

    name: Name = "link-context"
    random_seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0


class StoreSection(Section):
    """``[store]``: which bodies are archived, and how large one WARC file grows."""

    keep: Literal["all", "relevant"] = "all"
    warc_megabytes: Annotated[int, Field(ge=1, le=100_000)] = 1_000


class StopSection(Section):
    """``[stop]``: when it is enough. Totals: going on with a crawl counts what it already has."""

    pages: Count | None = None
    minutes: Annotated[float, Field(gt=0, le=5_256_000, allow_inf_nan=False)] | None = None
    relevant: Count | None = None
