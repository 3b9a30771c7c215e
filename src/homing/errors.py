"""What can go wrong that a person has to mend.

    HomingError
    ├── UsageError        what was asked for makes no sense: an option, a value, a key of the TOML file
    │   └── UnreadableError  files or pages that were named cannot be read
    ├── FolderError       a crawl folder that cannot be used
    │   ├── LockedError   another process writes it
    │   ├── DamagedError  it is corrupt, or no crawl folder of ours
    │   └── OtherCrawlError  it holds a crawl with other settings
    ├── ModelError        a model file that is damaged, or none of ours
    ├── OldStateError     another version saved what a strategy had learnt; a crawl learns it anew
    ├── BrokenOffError    Ctrl-C, where a person should know what is kept
    └── StorageError      the disk is full, cannot be written, or the database stays locked

Each message is one line that says what to do; the command line prints it and nothing else. Only where
several things that were named are at fault, each of them has its line (``lines``). What
happens every minute on the web (a page that does not answer) is no exception: see ``model.Failure``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HomingError(Exception):
    """Anything that ends a command with one clear line."""

    exit_code = 1

    @property
    def lines(self) -> tuple[str, ...]:
        """What to tell a person, line by line."""
        return (printable(str(self)),)


class UsageError(HomingError):
    """What was asked for makes no sense."""

    exit_code = 2


class UnreadableError(UsageError):
    """Files or pages that were named and cannot be read, a line for each."""

    def __init__(self, troubles: Iterable[str]) -> None:
        self._lines = tuple(dict.fromkeys(troubles))
        super().__init__("; ".join(self._lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(printable, self._lines))


class FolderError(HomingError):
    """A crawl folder that cannot be used as asked."""

    exit_code = 2


class LockedError(FolderError):
    """Another process is writing the folder."""


class DamagedError(FolderError):
    """The folder is corrupt, or no crawl folder of ours."""


class OtherCrawlError(FolderError):
    """The folder holds a crawl with other settings."""


class ModelError(HomingError):
    """A model file that is damaged, too new, or none of ours."""

    exit_code = 2


class OldStateError(HomingError):
    """What a strategy had learnt was saved by a version that kept it otherwise."""


class BrokenOffError(HomingError):
    """Somebody pressed Ctrl-C, and there is something to say about it."""

    exit_code = 130


class StorageError(HomingError):
    """The disk or the database gave up on us; what was committed is safe."""


def printable(text: str) -> str:
    """One line for a terminal: what cannot be shown is written out.

    Messages quote files and pages, and in these there may be line breaks and commands to the terminal.

    >>> print(printable("a\\n\\x1b[2Jb"))
    a\\n\\x1b[2Jb
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean "flatness"?`` for a word that is nearly right, else the words there are.

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
