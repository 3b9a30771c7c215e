"""Write files atomically: a file appears under its name only once it is whole.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     with whole_file(Path(folder, "a")) as file:
...         _ = file.write(b"all of it")
...     Path(folder, "a").read_bytes()
b'all of it'
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from homing.errors import StorageError

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Error numbers of a full disk."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name, or replaces an older one, when the block succeeds.

    After a full disk, an error or a kill the older file, if any, is unchanged.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # a rename may reach the disk before the bytes
        os.replace(draft, path)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StorageError(no_room(path)) from error
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):  # it was renamed, or could not even be opened
            draft.unlink()


def no_room(place: object) -> str:
    """Return the error message of a full disk."""
    return f"the disk is full: {place} cannot grow; make room and run the same command again"
