"""From the arguments of ``homing crawl`` to a configuration."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from homing.config import Config, ConfigError, Tables, check_seed, looks_like_address
from homing.config.headers import needs_origins
from homing.config.keys import find
from homing.errors import FolderError, UsageError, did_you_mean
from homing.judge import JUDGES
from homing.modelfile import read_model
from homing.store.folder import folder_name
from homing.strategies import STRATEGIES
from homing.topic.gathered import judge_for


def sort_arguments(arguments: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic and the seeds: URLs are seeds, the one other argument is the topic.

    >>> sort_arguments(["https://example.org", "butterfly gardening"])
    ('butterfly gardening', ('https://example.org',))
    """
    seeds = [text for text in arguments if _is_meant_as_url(text)]
    others = [text for text in arguments if not _is_meant_as_url(text)]
    for text in [*seeds, *filter(looks_like_address, others)]:
        try:
            check_seed(text)
        except ValueError as problem:
            raise UsageError(str(problem)) from None
    if len(others) > 1:
        raise UsageError(
            f'two topics, "{others[0]}" and "{others[1]}"; a topic of several words needs quotes, '
            "and a seed must start with http:// or https://"
        )
    return (others[0] if others else None), tuple(dict.fromkeys(seeds))


def sort_models(paths: Iterable[str]) -> tuple[dict[str, str], str | None]:
    """Return model files by kind (judge or strategy), and the name of the strategy among them."""
    found: dict[str, str] = {}
    strategy = None
    for path in paths:
        model = read_model(Path(path).absolute())
        if model.kind in found:
            raise UsageError(f"--model: {found[model.kind]} and {path} are both models of a {model.kind}")
        found[model.kind] = path
        strategy = model.name if model.kind == "strategy" else strategy
    return found, strategy


def read_setting(text: str) -> tuple[str, object]:
    """Read ``KEY=VALUE``; the value is read as TOML, or else as text.

    >>> read_setting("window=20"), read_setting("compare=max")
    (('window', 20), ('compare', 'max'))
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f'--set must be KEY=VALUE, not "{text}"')
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value


def read_settings(texts: Iterable[str] | None) -> dict[str, object]:
    """Read the values of ``--set``; of two for one key the last counts."""
    return dict(map(read_setting, texts or ()))


def override(config: Config, tables: Tables) -> Config:
    """Return the configuration with options applied; an error names the option."""
    try:
        return config.merged(tables)
    except ConfigError as error:
        if not error.key:
            raise
        raise UsageError(f"{_option_of(error.section, error.key)} {error.problem}") from None


def place_settings(config: Config, settings: Mapping[str, object]) -> Config:
    """Return the configuration with each ``--set`` applied to the strategy or the judge that has it.

    If both have it, ``strategy.KEY`` or ``judge.KEY`` names one.
    """
    if not settings:
        return config
    judge = judge_for(config)
    known = {
        "strategy": [each["name"] for each in STRATEGIES.describe(config.strategy.name)["parameters"]],
        "judge": [each["name"] for each in JUDGES.describe(judge)["parameters"]],
    }
    chosen: dict[str, dict[str, object]] = {"strategy": {}, "judge": {}}
    for key, value in settings.items():
        part, _, name = key.replace("-", "_").rpartition(".")
        owners = [section for section in known if name in known[section] and part in ("", section)]
        if not owners:
            names = f'strategy "{config.strategy.name}" nor judge "{judge}"'
            hint = did_you_mean(name, {*known["strategy"], *known["judge"]})
            raise UsageError(f'--set: neither {names} has a parameter "{key}"{hint}')
        if len(owners) > 1:
            raise UsageError(
                f"--set {key}: strategy and judge both have it; say strategy.{name} or judge.{name}"
            )
        chosen[owners[0]][name] = value
    return override(config, chosen)


def stored_in(folder: Path) -> Config | None:
    """Return the configuration of the crawl in a folder, if there is one."""
    path = folder / "crawl.toml"
    try:
        return Config.load(path) if path.is_file() else None
    except OSError as error:
        raise FolderError(
            f"cannot use {folder}: {error.strerror}; choose another folder with --out"
        ) from None


def resumed(stored: Config, new: Config) -> Config:
    """Return the stored configuration with new settings; seeds are added to the stored ones.

    Headers given without a seed are for the origins that the stored headers are for.
    """
    seeds = tuple(dict.fromkeys(stored.seeds.urls + new.seeds.urls))
    given = new.given()
    if new.fetch.headers and not new.fetch.headers_for:
        if needs_origins(new.fetch.headers) and not stored.fetch.headers_for:
            raise UsageError("--header: name the seeds that it is for as well, https://...")
        given["fetch"] = {**given["fetch"], "headers_for": stored.fetch.headers_for}
    return stored.merged({**given, "seeds": {"urls": seeds}})


def folder_for(topic: str) -> Path:
    """Return the default folder of a crawl: one in the working directory, named after the topic.

    >>> folder_for("Butterfly gardening, in the Alps!").name
    'butterfly-gardening-in-the-alps'
    """
    return Path(folder_name(topic))


def _option_of(section: str, name: str) -> str:
    name = re.split(r"[ .]", name)[0]  # "headers.Accept" and "include (item 2)" are both one option
    key = find(section, name)
    return key.option if key and key.option else f"--set {name}"


def _is_meant_as_url(text: str) -> bool:
    return re.match(r"https?:|[a-z][a-z0-9+.-]*://", text, re.IGNORECASE) is not None
