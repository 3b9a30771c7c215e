"""Files that appear under their name only once they are whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from homing.errors import StorageError

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system calls a full disk."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes its place, or that of an older one, when the block ends well.

    Whatever happens before, a full disk, an error, a kill, the name stands for what it stood for.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # a rename may reach the disk before the bytes it stands for
        os.replace(draft, path)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StorageError(no_room(path)) from error
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):  # it took its place, or could not even be begun
            draft.unlink()


def no_room(place: object) -> str:
    """What to say of a full disk."""
    return f"the disk is full: {place} cannot grow; make room and run the same command again"
