"""What was edited by hand in ``crawl.toml`` between two runs."""

from __future__ import annotations

from collections.abc import Mapping

from homing.config import Config, Tables

DEFINING = ("topic", "judge", "strategy", "scope")
"""Sections that define a crawl; only ``FREE`` keys in them may change."""
FREE = frozenset({"block", "relearn_every"})
_SECRET = frozenset({"headers", "proxy"})
"""Keys that may hold a password, which is copied nowhere; that they were edited is not noticed."""
_SHORT = 60


def remembered(config: Config) -> dict[str, dict[str, object]]:
    """Return the settings of a run, to be kept with the crawl and compared with those of the next."""
    return {
        section: {key: value for key, value in table.items() if key not in _SECRET}
        for section, table in config.tables().items()
    }


def edits(before: Tables, after: Tables) -> tuple[list[str], list[str]]:
    """Return the changes that a crawl may not make, and those it may, each in a few words.

    >>> one = Config.of({"topic": {"text": "bees"}, "pace": {"delay": 2.0}})
    >>> other = one.merged({"topic": {"text": "wasps"}, "pace": {"delay": 0.5}})
    >>> edits(remembered(one), remembered(other))
    (['topic text ("bees" before, "wasps" now)'], ['pace delay (2.0 before, 0.5 now)'])
    """
    refused, allowed = list[str](), list[str]()
    for section in sorted({*before, *after}):
        old, new = before.get(section, {}), after.get(section, {})
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                is_refused = section in DEFINING and key not in FREE
                (refused if is_refused else allowed).append(
                    f"{section} {key} {_change(old, new, key)}".rstrip()
                )
    return refused, allowed


def _change(old: Mapping[str, object], new: Mapping[str, object], key: str) -> str:
    shown = [_shown(table.get(key)) for table in (old, new)]
    return f"({shown[0]} before, {shown[1]} now)" if all(shown) else ""


def _shown(value: object) -> str:
    """Return a value in a few words; empty if it has too many."""
    text = "none" if value in (None, "", []) else f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _SHORT else ""
