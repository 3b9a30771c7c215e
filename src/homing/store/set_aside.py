"""What is damaged and can be had again is put aside under another name, so that nothing is lost by it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

from homing.files import whole_file

_WITH_DATABASES = ("-journal", "-wal", "-shm")
"""How the files end that SQLite keeps beside a database."""


def set_aside(path: Path) -> Path:
    """Rename a file, with what SQLite keeps beside it; return its new name.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "inbox.db").write_bytes(b"garbage")
    ...     set_aside(Path(folder, "inbox.db")).name
    'inbox.db.damaged-1'
    """
    aside = _free_name(path)
    os.rename(path, aside)
    for end in _WITH_DATABASES:
        with suppress(FileNotFoundError):
            os.rename(f"{path}{end}", f"{aside}{end}")
    return aside


def keep_aside(path: Path, pieces: Iterable[bytes]) -> Path:
    """Write down what was damaged within another file, as if it had been a file of this name."""
    aside = _free_name(path)
    with whole_file(aside) as file:
        file.writelines(pieces)
    return aside


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))
