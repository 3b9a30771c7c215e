"""Python processes that Homing starts: they run no module that lies in the working directory.

Python looks for modules there before anywhere else if it is started with ``-c`` or ``-m``, as
``multiprocessing`` starts its workers. In a folder of downloads a file named like a module would be run.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE_PATH = "PYTHONSAFEPATH"

_lock = threading.Lock()
_inside = 0
_before: str | None = None


@contextmanager
def safe_path() -> Iterator[None]:
    """Let no Python process that is started in here look for modules in the working directory.

    By an environment variable, as ``multiprocessing`` takes no options for Python. Several threads may be in
    here; the last one to leave takes the variable away again, which other programs need not heed.
    """
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = os.environ.get(_SAFE_PATH)
            os.environ[_SAFE_PATH] = "1"
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                if _before is None:
                    del os.environ[_SAFE_PATH]
                else:
                    os.environ[_SAFE_PATH] = _before


def homing_command(*arguments: str) -> list[str]:
    """Return the command that runs ``homing`` by this Python, whatever lies in the working directory."""
    return [sys.executable, "-P", "-m", "homing", *arguments]


def environment_elsewhere() -> dict[str, str]:
    """Return the environment for a process with another working directory.

    The folders in PYTHONPATH stay those that they are here: an empty or relative one would be the other
    working directory, or lie in it.
    """
    found = {**os.environ, _SAFE_PATH: "1"}
    if path := found.get("PYTHONPATH"):
        found["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, path.split(os.pathsep)))
    return found
