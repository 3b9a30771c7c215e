"""The configuration of a crawl: one TOML file, one frozen model per section.

``Config`` holds the sections, ``load`` reads a file, ``dump`` writes all of it with the defaults, so that a
crawl can be repeated from the ``crawl.toml`` in its folder. Begin with ``sections.py``: every setting is
declared there, with its type, bounds, default, help and option.

- ``sections``: every setting, a field each, built by ``setting``.
- ``values``: bounded types of single values; ``seeds`` reads seed URLs, ``sources`` where examples are.
- ``headers``: to which origins the headers of requests are sent.
- ``keys``: the settings as the command line, the web form and the documentation read them.
- ``edits``: what was edited by hand between two runs.
- ``complaints``: error messages; ``toml``: reading and writing the file.

>>> config = Config.of({"topic": {"text": "bees"}, "stop": {"pages": 10}})
>>> config.stop.pages, config.fetch.concurrency
(10, 64)
>>> config.merged({"pace": {"dealy": 2}})
Traceback (most recent call last):
homing.config.complaints.ConfigError: [pace] has no key "dealy"; did you mean "delay"?
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from homing.config.complaints import ConfigError, complaint
from homing.config.headers import origins_of, without_old_origins
from homing.config.sections import (
    FetchSection,
    JudgeSection,
    PaceSection,
    PartSection,
    RefreshSection,
    ScopeSection,
    SeedsSection,
    StopSection,
    StoreSection,
    StrategySection,
    TopicSection,
    WindowSection,
)
from homing.config.seeds import check_seed, looks_like_address, read_seed_file
from homing.config.sources import check_source, is_address, located
from homing.config.toml import read_toml, write_toml
from homing.errors import UsageError

__all__ = [
    "Config",
    "ConfigError",
    "FetchSection",
    "JudgeSection",
    "PaceSection",
    "PartSection",
    "RefreshSection",
    "ScopeSection",
    "SeedsSection",
    "StopSection",
    "StoreSection",
    "StrategySection",
    "Tables",
    "TopicSection",
    "WindowSection",
    "check_seed",
    "check_source",
    "differences",
    "is_address",
    "looks_like_address",
    "read_seed_file",
]

Tables = Mapping[str, Mapping[str, object]]
"""A configuration as tables of TOML: section, key, value."""


class Config(BaseModel):
    """All settings of a crawl, each section a frozen model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: TopicSection = TopicSection()
    seeds: SeedsSection = SeedsSection()
    scope: ScopeSection = ScopeSection()
    fetch: FetchSection = FetchSection()
    pace: PaceSection = PaceSection()
    judge: JudgeSection = JudgeSection()
    strategy: StrategySection = StrategySection()
    store: StoreSection = StoreSection()
    refresh: RefreshSection = RefreshSection()
    stop: StopSection = StopSection()

    @classmethod
    def of(cls, tables: Mapping[str, object], source: str = "") -> Self:
        """Create from tables of TOML; ``source`` is the file that an error names."""
        try:
            return cls.model_validate(tables)
        except ValidationError as error:
            raise complaint(error, cls, source) from None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file. Paths in it (examples, a model, a seed file) are relative to its folder."""
        return cls.of(read_toml(path), source=str(path)).located(path.parent)

    def given(self) -> dict[str, dict[str, object]]:
        """Return the settings that were given, without the defaults."""
        return self._tables(only_given=True)

    def tables(self) -> dict[str, dict[str, object]]:
        """Return all settings in the types of TOML, defaults included."""
        return self._tables(only_given=False)

    def dump(self) -> str:
        """Return all settings as TOML, defaults included. Reading it gives an equal ``Config``."""
        return write_toml(self.tables())

    def merged(self, overrides: Tables) -> Self:
        """Return a copy with other values; a ``None`` overrides nothing.

        A judge or strategy does not inherit the parameters of the one it replaces, nor do headers the origins
        of those that they replace.
        """
        tables = self.given()
        for section, values in overrides.items():
            chosen = {key: value for key, value in values.items() if value is not None}
            old = tables.get(section, {})
            part = getattr(self, section, None)
            if isinstance(part, PartSection) and not part.goes_by(chosen.get("name", part.name)):
                old = {key: value for key, value in old.items() if key not in part.parameters}
            if section == "fetch":
                old = {**without_old_origins(old, chosen)}
            if old or chosen:
                tables[section] = {**old, **chosen}
        return type(self).of(tables)

    def located(self, folder: Path) -> Self:
        """Return a copy with absolute paths, resolved from ``folder``, the seed file read, and headers bound.

        What is stored with a crawl must not depend on the working directory, nor on a seed file that may
        change or vanish, nor on seeds that are added later.
        """
        topic = {
            "examples": [located(source, folder) for source in self.topic.examples] or None,
            "negatives": [located(source, folder) for source in self.topic.negatives] or None,
            "model": located(self.topic.model, folder) or None,
        }
        strategy = {"model": located(self.strategy.model, folder) or None}
        whole = self.merged({"topic": topic, "strategy": strategy})
        if not self.seeds.file:
            return whole.bound()
        found = read_seed_file(folder / self.seeds.file)
        seeds = SeedsSection(urls=tuple(dict.fromkeys(self.seeds.urls + found)))
        return whole.model_copy(update={"seeds": seeds}).bound()

    def bound(self) -> Self:
        """Return a copy whose headers belong to the origins of its seeds, unless they belong to some already.

        See ``headers`` for the rule.
        """
        if self.fetch.headers_for or not self.fetch.headers or not self.seeds.urls:
            return self
        return self.merged({"fetch": {"headers_for": origins_of(self.seeds.urls)}})

    def without_headers(self) -> Self:
        """Return a copy for other seeds than those that the headers were given for."""
        return self.merged({"fetch": {"headers": {}}})

    def check_complete(self) -> None:
        """Raise ``UsageError`` for a crawl without a topic or without seeds."""
        self.check_topic()
        if not self.seeds.urls:
            raise UsageError("no seeds: give at least one URL to start from, https://...")

    def check_topic(self) -> None:
        """Raise ``UsageError`` for a topic that is missing or contradictory."""
        topic = self.topic
        if topic.negatives and not topic.examples:
            raise UsageError("negative examples need positive ones: give examples as well")
        if topic.model and (topic.examples or topic.keywords or topic.codes):
            raise UsageError("a model has its own topic: leave out examples, keywords and codes")
        if topic.model and self.judge.parameters:
            names = ", ".join(self.judge.parameters)
            raise UsageError(f"a model keeps the parameters it was trained with: leave out {names}")
        if not (topic.text.strip() or topic.keywords or topic.examples or topic.codes or topic.model):
            raise UsageError(
                'no topic: say what to look for, as in homing crawl "butterfly gardening" https://...'
            )

    def _tables(self, *, only_given: bool) -> dict[str, dict[str, object]]:
        # Every section is written out even when given as a whole by its default, hence the explicit set.
        raw = self.model_dump(by_alias=True, exclude_unset=only_given, exclude_none=True)
        return {
            section: {key: _plain(value) for key, value in table.items()} for section, table in raw.items()
        }


def differences(old: Config, new: Config) -> list[str]:
    """Return the changes that a resumed crawl may not make.

    Topic, judge, strategy and scope define a crawl. Limits, rate limits, workers and all other settings of
    fetching may change, seeds may be added, hosts may be blocked and domains trusted.

    >>> differences(Config.of({"topic": {"text": "bees"}}), Config.of({"topic": {"text": "wasps"}}))
    ['topic text ("bees" there, "wasps" given)']
    """
    found = []
    before, after = old.tables(), new.tables()
    for section in ("topic", "judge", "strategy", "scope"):
        for key in sorted({*before[section], *after[section]} - {"block", "trust", "relearn_every"}):
            there, here = before[section].get(key), after[section].get(key)
            if there != here:
                found.append(f"{section} {key} ({_shown(there)} there, {_shown(here)} given)")
    return found


def _plain(value: object) -> object:
    """Return a value in a type that TOML has."""
    match value:
        case time():
            return value.strftime("%H:%M")
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _shown(value: object) -> str:
    if value is None or value in ("", []):
        return "none"
    return f'"{value}"' if isinstance(value, str) else str(value)
