"""Writing to the terminal and to pipes: whatever a command prints goes through here.

Titles, anchors, URLs and names of files come from outside, and a terminal obeys some of their characters:
they erase lines, change its title, or show a text backwards. ``results`` and ``errors`` strip such characters
from all they print; ``stdout`` escapes them on a terminal, and is exact for a pipe or a file.
"""

from __future__ import annotations

import codecs
import io
import json
import struct
import sys
import unicodedata
from collections.abc import Iterable
from typing import BinaryIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from typing_extensions import Buffer

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: control and format characters, surrogates, line and paragraph separators."""


class SafeConsole(Console):
    """A console that sends no control characters but its own, and reads no markup in what it prints."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as any console; everything printed comes by here, as text apart from its style."""
        for segment in super().render(renderable, options):
            text = segment.text
            # Stripped rather than escaped: the width of a column was computed without them.
            if segment.control or text == "\n" or text.isprintable():
                yield segment
            else:
                yield segment._replace(text="".join(filter(_is_shown, text)))


class Terminal(io.RawIOBase):
    """A terminal as a file of bytes. Control characters are escaped as in JSON, which so stays the same."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        given = bytes(data)
        text = self._decoder.decode(given)
        self._file.write("\r\n".join(map(_escaped, text.split("\r\n"))).encode("utf-8", "replace"))
        return len(given)

    def flush(self) -> None:
        self._file.flush()


def errors() -> Console:
    """Return the console for progress and messages: stderr."""
    return SafeConsole(stderr=True)


def results() -> Console:
    """Return the console for results: stdout. A pipe gets them unwrapped: it has no width."""
    console = SafeConsole()
    return console if console.is_terminal else SafeConsole(width=10_000)


def stdout() -> BinaryIO:
    """Return stdout for whole documents."""
    return cast(BinaryIO, Terminal(sys.stdout.buffer)) if sys.stdout.isatty() else sys.stdout.buffer


def print_document(document: bytes) -> None:
    """Print a document to stdout."""
    file = stdout()
    file.write(document)
    file.flush()


def print_json(value: object) -> None:
    """Print one JSON document, in UTF-8 whatever the locale."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    print_document(text.encode("utf-8", "replace"))


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


def _is_shown(letter: str) -> bool:
    return letter in "\n\t" or unicodedata.category(letter) not in _HIDDEN


def _escaped(text: str) -> str:
    r"""Escape hidden characters as JSON does.

    >>> print(_escaped("a\x1b\x9b\u202e\U000e0041"))
    a\u001b\u009b\u202e\udb40\udc41
    """
    if text.isprintable():
        return text
    return "".join(letter if _is_shown(letter) else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    units = struct.iter_unpack(">H", letter.encode("utf-16-be", "surrogatepass"))
    return "".join(f"\\u{unit:04x}" for (unit,) in units)
