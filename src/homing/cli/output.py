"""Writing to the terminal and to pipes."""

from __future__ import annotations

import json
import sys
import unicodedata

from rich.console import Console

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control and format characters, half surrogates, line and paragraph separators."""


def errors() -> Console:
    """Where progress and remarks go."""
    return Console(stderr=True, highlight=False)


def results() -> Console:
    """Where results for people go. A pipe gets them unwrapped: no terminal's width applies there."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=10_000)


def print_json(value: object) -> None:
    """One JSON document on stdout, in UTF-8 whatever the locale."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def printable(text: str) -> str:
    r"""A text from the web in one line, without characters that could command the terminal.

    >>> printable("Bees\n\x1b[2J and\u202e wasps")
    'Bees [2J and wasps'
    """
    visible = "".join(" " if unicodedata.category(letter) in _HIDDEN else letter for letter in text)
    return " ".join(visible.split())
