"""The form of a new crawl, turned into a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from homing.config import (
    Config,
    ConfigError,
    PaceSection,
    ScopeSection,
    StrategySection,
    Tables,
)
from homing.config.keys import find, keys, tables_of
from homing.errors import HomingError, UsageError
from homing.judge import JUDGES
from homing.registry import Description
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.crawl.local_files import check_settings, check_sources
from homing.serve.steering import lines_of
from homing.strategies import STRATEGIES


class NewCrawl(BaseModel):
    """The form as it was filled in; an empty text leaves the default."""

    model_config = ConfigDict(frozen=True, str_max_length=1_000_000)

    topic: str = ""
    seeds: str = ""
    examples: str = ""
    negatives: str = ""
    candidates: str = ""
    """The name of the list of candidates whose pages were labelled."""
    begin_at_right: bool = False
    """Whether the pages labelled right are seeds as well."""
    judge: str = ""
    strategy: str = StrategySection().name
    settings: str = ""
    language: str = ""
    scope: str = ScopeSection().within
    pages: str = Field(default="500")
    relevant: str = ""
    minutes: str = ""
    yield_below: str = ""
    max_depth: str = ""
    pages_per_host: str = ""
    delay: str = f"{PaceSection().delay:g}"
    contact: str = ""

    def config(self, base: Config, more_seeds: list[str]) -> Config:
        """Return the configuration.

        The settings of requests are those of ``base``, except the contact, and the headers: these belong to
        the seeds that they were given for.
        """
        if not self.topic.strip():
            raise UsageError("no topic: say in a few words what to look for")
        chosen = SETTINGS.values()
        given = tables_of(
            chosen, {key.parameter: getattr(self, key.parameter).strip() or None for key in chosen}
        )
        language = self.language.strip() or None
        tables: Tables = {
            **given,
            "topic": {
                "text": self.topic.strip(),
                "language": language,
                "examples": lines_of(self.examples) or None,
                "negatives": lines_of(self.negatives) or None,
            },
            "seeds": {"urls": [*lines_of(self.seeds), *more_seeds] or None},
            "fetch": {**base.without_headers().given()["fetch"], **given["fetch"]},
        }
        try:
            config = Config().merged(tables)
        except ConfigError as error:
            key = find(error.section, error.key)
            name = key.label.lower() if key and key.option else error.section
            raise UsageError(f"{name} {error.problem}") from None
        check_sources(config)
        check_settings(lines_of(self.settings))
        if not config.seeds.urls:
            raise UsageError("no seeds: give at least one URL to start from, https://...")
        return config


SETTINGS = {key.parameter: key for key in keys() if key.parameter in NewCrawl.model_fields}
"""The settings that are fields of the form, by its names."""


def base_of(folder: CrawlFolder) -> Config:
    """Return the configuration of the crawl served, for its user agent, proxy and networks; no headers."""
    try:
        return Config.load(folder.layout.config).without_headers()
    except HomingError:
        return Config()


@cache
def strategies() -> list[Description]:
    """Return what ``homing strategies`` shows."""
    return _described(STRATEGIES.names(), STRATEGIES.describe)


@cache
def judges() -> list[Description]:
    """Return what ``homing judges`` shows."""
    return _described(JUDGES.names(), JUDGES.describe)


def _described(names: Iterable[str], describe: Callable[[str], Description]) -> list[Description]:
    found = list[Description]()
    for name in names:
        try:
            found.append(describe(name))
        except UsageError:  # a broken plug-in; homing strategies reports it
            continue
    return found
