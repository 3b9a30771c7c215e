"""Writes what is derived from the declared settings: ``make pages``.

These are the tables of keys in docs/configuration.md, and the options that ``homing crawl --help`` shows.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

from homing.config import Config
from homing.config.keys import Key, keys
from homing.config.toml import write_toml

PAGE = Path(__file__).with_suffix(".md")
OPTIONS = PAGE.parents[1] / "src" / "homing" / "cli" / "settings.json"
_TABLES = re.compile(r"(?<=<!-- written by docs/configuration.py -->\n).*?(?=<!-- end -->)", re.DOTALL)


def page() -> str:
    """Return the page with its tables written again; the rest of it is written by hand."""
    tables = "\n".join(line for section in Config.model_fields for line in _section(section))
    return _TABLES.sub(lambda _: f"{tables}\n", PAGE.read_text(encoding="utf-8"), count=1)


def options() -> str:
    """Return the options of all settings as JSON, one a line, for ``homing.cli.options``."""
    rows = [
        {
            "path": key.path,
            "option": key.option,
            "metavar": key.metavar,
            "help": key.help,
            "has_many": key.has_many,
        }
        for key in keys()
        if key.option.startswith("--")
    ]
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def _section(name: str) -> Iterator[str]:
    doc = inspect.cleandoc(Config.model_fields[name].annotation.__doc__ or "")
    yield f"### [{name}]"
    yield _sentence(" ".join(doc.split()).partition(": ")[2]) + "\n"
    yield "| key | default | values | option | meaning |"
    yield "|---|---|---|---|---|"
    yield from (_row(key) for key in keys() if key.section == name)
    yield ""


def _row(key: Key) -> str:
    cells = [f"`{key.name}`", _default(key), _values(key), key.option and f"`{key.option}`", key.setting.help]
    return f"| {' | '.join(cells)} |"


def _default(key: Key) -> str:
    if key.default is None:
        return "no limit"
    assignment = write_toml({key.section: {key.name: key.default}}).strip().partition("\n")[2]
    return f"`{assignment.partition(' = ')[2]}`"


def _values(key: Key) -> str:
    if key.bounds:
        least, most = key.bounds
        return f"{least:,} to {most:,}"
    return ", ".join(f'`"{choice}"`' for choice in key.choices)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    OPTIONS.write_text(options(), encoding="utf-8")
