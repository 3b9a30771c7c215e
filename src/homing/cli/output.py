"""Writing to the terminal and to pipes."""

from __future__ import annotations

import json
import sys
import unicodedata

from rich.console import Console

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: control and format characters, surrogates, line and paragraph separators."""


def errors() -> Console:
    """Return the console for progress and messages: stderr."""
    return Console(stderr=True, highlight=False)


def results() -> Console:
    """Return the console for results: stdout. A pipe gets them unwrapped: it has no width."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=10_000)


def print_json(value: object) -> None:
    """Print one JSON document to stdout, in UTF-8 whatever the locale."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def tell_examples(pages: int) -> None:
    """Announce that example pages are fetched, if there are any."""
    if pages:
        errors().print(f"fetching {pages} example page{'s' * (pages > 1)} first")


def printable(text: str) -> str:
    r"""Return a text from the web in one line, without characters that could control the terminal.

    >>> printable("Bees\n\x1b[2J and\u202e wasps")
    'Bees [2J and wasps'
    """
    visible = "".join(" " if unicodedata.category(letter) in _HIDDEN else letter for letter in text)
    return " ".join(visible.split())
