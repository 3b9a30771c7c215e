"""Refuses what would make the app read a file of this machine for a browser.

Whoever has the token may start crawls, but need not be a user of this machine: a file that the form names
would be read with the rights of the app, and its words shown in a page or an error. From a browser come
URLs and pasted text, nothing else; files are named on the command line.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from homing import urls
from homing.config import Config
from homing.config.keys import keys
from homing.errors import UsageError
from homing.judge import JUDGES
from homing.parameters import text_parameters
from homing.strategies import STRATEGIES

PATHS = tuple(key for key in keys() if {"FILE", "PATH"} & set(key.metavar.split("|")))
"""The settings that name a file, a folder or, some of them, a URL instead."""


def check_sources(config: Config) -> None:
    """Raise ``UsageError`` if a setting of the configuration names a file."""
    for key in PATHS:
        value = getattr(getattr(config, key.section), key.name)
        for source in (value,) if isinstance(value, str) else value:
            if source and urls.canonical(source) is None:
                raise UsageError(
                    f'{key.name}: "{source}" is no URL; it must start with http:// or https:// here'
                )


def check_settings(settings: Iterable[str]) -> None:
    """Raise ``UsageError`` if one of these ``KEY=VALUE`` sets a parameter that may be read as a path.

    What else is wrong with them is for ``homing crawl`` to say.
    """
    for setting in settings:
        key = setting.partition("=")[0].strip()
        if key.replace("-", "_").rpartition(".")[2] in _refused():
            raise UsageError(f'"{key}" may name a file of this machine; set it by homing crawl --set instead')


@cache
def _refused() -> frozenset[str]:
    """Return the parameters of strategies and judges that take any text; numbers and choices are harmless."""
    found = set[str]()
    for registry in (STRATEGIES, JUDGES):
        for name in registry.names():
            try:
                found |= text_parameters(registry.get(name))
            except UsageError:  # a broken plug-in, which no crawl can use either
                continue
    return frozenset(found)
