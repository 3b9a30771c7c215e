"""Files that appear under their name only once they are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from homing.errors import StorageError


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
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):  # it took its place, or could not even be begun
            draft.unlink()
