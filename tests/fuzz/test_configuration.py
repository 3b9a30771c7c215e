"""crawl.toml with anything in it: read, or refused in one line that says what to do."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homing.config import Config
from homing.config.toml import write_toml
from homing.errors import UsageError

SECTIONS = {name: section.annotation for name, section in Config.model_fields.items()}
KEYS = sorted({key for section in SECTIONS.values() if section for key in section.model_fields})
VALUES = st.recursive(
    st.one_of(
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.booleans(),
        st.text(max_size=8),
        st.sampled_from(
            ["keywords", "best-first", "site", "22:00", "http://a.org/", "seeds.txt", "\x00", "../x"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.sampled_from(["from", "to", "Accept"]), st.text(max_size=4)), inner, max_size=2
        ),
    ),
    max_leaves=4,
)
TABLES = st.dictionaries(
    st.one_of(st.sampled_from(sorted(SECTIONS)), st.text(max_size=5)),
    st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=5)), VALUES, max_size=3),
    max_size=3,
)
PIECES = [
    "[",
    "]",
    "=",
    "topic",
    ".",
    '"',
    "'",
    "'''",
    "\\u",
    "\n",
    "1",
    "-",
    "e",
    "inf",
    "{",
    "}",
    ",",
    "#",
    ":",
    "\x00",
]


def load(text: str) -> Config | None:
    """The configuration in a file of that text, or ``None`` if it was refused as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            return Config.load(path)
        except UsageError as error:
            lines = error.lines
    assert lines
    assert all(line.isprintable() for line in lines)
    return None


@settings(max_examples=120)
@given(TABLES)
@example({"seeds": {"file": "a\x00b"}})
@example({"topic": {"examples": ["a\x00b"]}})
@example({"pace": {"delay": 10**400}})
@example({"\n\x1b[2J": {}})  # a line of its own, and a terminal without the others
def test_tables_are_read_or_refused_in_one_line(tables: dict[str, dict[str, object]]) -> None:
    config = load(write_toml(tables))
    if config is not None:
        assert Config.of(tomllib.loads(config.dump())) == config


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.text(max_size=60)))
@example("a = " + "[" * 20_000)  # deeper than Python follows
@example("a = " + "9" * 5_000)  # longer than Python reads
@example("[" + "a." * 5_000 + "b]")
@example("\ud800")
def test_text_is_read_or_refused_in_one_line(text: str) -> None:
    load(text)
