"""Errors that the user can correct.

    HomingError
    ├── UsageError        an option, a value or a key of the TOML file is wrong
    │   └── UnreadableError  files or pages that were named cannot be read
    ├── FolderError       a crawl folder that cannot be used
    │   ├── LockedError   another process writes it
    │   ├── DamagedError  it is corrupt, or no crawl folder
    │   │   └── DamagedRecordError  one archived reply of it is
    │   └── OtherCrawlError  it holds a crawl with other settings
    ├── ModelError        a model file that is damaged, or no model file
    ├── BrokenStateError  a strategy's state that is damaged; a crawl learns it again from the archive
    │   └── OldStateError    it was saved by another version
    ├── BrokenOffError    Ctrl-C, with a message on what is kept
    └── StorageError      the disk is full, cannot be written, or the database stays locked

Each message is one line that says what to do; the command line prints it and nothing else. Only where
several named things are wrong, each of them has its line (``lines``). What happens every minute on the web
(a page that does not answer) is no exception: see ``model.Failure``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from shlex import quote


class HomingError(Exception):
    """An error that ends a command with one clear line."""

    exit_code = 1

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines of the message."""
        return (printable(str(self)),)


class UsageError(HomingError):
    """An option, a value or a key of the TOML file is wrong."""

    exit_code = 2


class UnreadableError(UsageError):
    """Files or pages that were named cannot be read; a line for each."""

    def __init__(self, troubles: Iterable[str]) -> None:
        self._lines = tuple(dict.fromkeys(troubles))
        super().__init__("; ".join(self._lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(printable, self._lines))


class FolderError(HomingError):
    """A crawl folder that cannot be used."""

    exit_code = 2


class LockedError(FolderError):
    """Another process is writing the folder."""


class DamagedError(FolderError):
    """The folder is corrupt, or no crawl folder."""


class DamagedRecordError(DamagedError):
    """An archived reply cannot be read; whoever reads many counts it and goes on."""

    def __init__(self, path: Path, offset: int, problem: object) -> None:
        super().__init__(
            f"{path} is damaged at byte {offset} ({problem});"
            f" homing check {quote(str(path.parent.parent))} --mend has the page fetched again"
        )


class OtherCrawlError(FolderError):
    """The folder holds a crawl with other settings."""


class ModelError(HomingError):
    """A model file that is damaged, too new, or no model file."""

    exit_code = 2


class BrokenStateError(HomingError):
    """A strategy's state cannot be used; what it was learnt from is in the archive."""


class OldStateError(BrokenStateError):
    """A strategy's state was saved by a version with another format."""


class BrokenOffError(HomingError):
    """The user pressed Ctrl-C, and the message says what is kept."""

    exit_code = 130


class StorageError(HomingError):
    """The disk or the database failed; what was committed is safe."""


class Damage:
    """Counts the archived replies that could not be read, and were left out.

    >>> damage = Damage()
    >>> damage.note("homing-00001.warc.gz is damaged at byte 7 (it is cut short); mend it")
    >>> print(damage.line)
    1 archived page was left out: homing-00001.warc.gz is damaged at byte 7 (it is cut short); mend it
    """

    def __init__(self) -> None:
        self._first = ""
        self._noted: set[int] = set()

    @property
    def count(self) -> int:
        """How many there were."""
        return len(self._noted)

    def note(self, trouble: str) -> None:
        """Count one, if it is not the same again; the first is named."""
        self._noted.add(hash(trouble))
        self._first = self._first or trouble

    @property
    def line(self) -> str:
        """All of them in a line, with the command that mends them; empty if there was none."""
        pages = "page was" if self.count == 1 else "pages were"
        return f"{self.count:,} archived {pages} left out: {self._first}" if self.count else ""


def printable(text: str) -> str:
    """Return one line for a terminal, with unprintable characters escaped.

    Messages quote files and pages, which may contain line breaks and commands to the terminal.

    >>> print(printable("a\\n\\x1b[2Jb"))
    a\\n\\x1b[2Jb
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "flatness"?`` for a word that is nearly right, else a list of the known words.

    >>> did_you_mean("flatnes", ["strength", "flatness"])
    '; did you mean "flatness"?'
    >>> did_you_mean("zzz", ["b", "a"])
    '; there is: a, b'
    """
    words = sorted(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; there is: {', '.join(words)}" if words else ""
