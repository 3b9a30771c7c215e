"""What a person says of a new crawl in the form, as a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from homing.config import Config, ConfigError, Tables, is_address
from homing.errors import HomingError, UsageError
from homing.judge import JUDGES
from homing.registry import Description
from homing.serve.commands import lines_of
from homing.serve.crawl.folder import CrawlFolder
from homing.strategies import STRATEGIES


class NewCrawl(BaseModel):
    """The form, as it was filled in; an empty text says nothing."""

    model_config = ConfigDict(frozen=True, str_max_length=1_000_000)

    topic: str = ""
    seeds: str = ""
    examples: str = ""
    negatives: str = ""
    candidates: str = ""
    """The list of candidates whose pages were marked."""
    begin_at_right: bool = False
    """Whether those called right are seeds as well."""
    judge: str = ""
    strategy: str = "adaptive"
    settings: str = ""
    language: str = ""
    scope: str = "any"
    pages: str = Field(default="500")
    relevant: str = ""
    minutes: str = ""
    yield_below: str = ""
    max_depth: str = ""
    pages_per_host: str = ""
    delay: str = "1"
    contact: str = ""

    def config(self, base: Config, more_seeds: list[str]) -> Config:
        """The configuration. How pages are asked for is taken from ``base``, but for the contact."""
        if not self.topic.strip():
            raise UsageError("no topic: say in a few words what to look for")
        told: Tables = {
            "topic": {
                "text": self.topic.strip(),
                "language": self.language.strip() or None,
                "examples": _addresses(self.examples) or None,
                "negatives": _addresses(self.negatives) or None,
            },
            "seeds": {"urls": [*lines_of(self.seeds), *more_seeds] or None},
            "scope": {
                "within": self.scope or None,
                "language": self.language.strip() or None,
                "max_depth": _number(self.max_depth),
                "pages_per_host": _number(self.pages_per_host),
            },
            "fetch": {**base.given().get("fetch", {}), "contact": self.contact.strip() or None},
            "pace": {"delay": _number(self.delay)},
            "judge": {"name": self.judge or None},
            "strategy": {"name": self.strategy or None},
            "stop": {
                name: _number(getattr(self, name)) for name in ("pages", "minutes", "relevant", "yield_below")
            },
        }
        try:
            config = Config().merged(told)
        except ConfigError as error:
            name = "seeds" if error.section == "seeds" else error.key.replace("_", " ")
            raise UsageError(f"{name} {error.problem}") from None
        if not config.seeds.urls:
            raise UsageError("no seeds: give at least one URL to start from, https://...")
        return config


def _addresses(text: str) -> list[str]:
    """Pages of the web only: what lies on this machine is none of a browser's business."""
    lines = lines_of(text)
    for line in lines:
        if not is_address(line):
            raise UsageError(f'"{line}" is no URL; examples must start with http:// or https:// here')
    return lines


def _number(text: str) -> int | float | str | None:
    """A number; what is none is left for the configuration to refuse."""
    text = text.strip()
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def base_of(folder: CrawlFolder) -> Config:
    """The configuration of the crawl that is served: who we are, and through which proxy we ask."""
    try:
        return Config.load(folder.layout.config)
    except HomingError:
        return Config()


@cache
def strategies() -> list[Description]:
    """What ``homing strategies`` shows."""
    return _described(STRATEGIES.names(), STRATEGIES.describe)


@cache
def judges() -> list[Description]:
    """What ``homing judges`` shows."""
    return _described(JUDGES.names(), JUDGES.describe)


def _described(names: Iterable[str], describe: Callable[[str], Description]) -> list[Description]:
    found = list[Description]()
    for name in names:
        try:
            found.append(describe(name))
        except UsageError:  # a plug-in that is broken; whoever wants it is told by homing strategies
            continue
    return found
