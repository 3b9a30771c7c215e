"""Another program that locks a crawl's database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Self

# A crawl releases the lock only for a moment between two transactions, so this tries all the time.
_HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
while True:
    try:
        db.execute("BEGIN EXCLUSIVE")
        break
    except sqlite3.OperationalError:
        pass
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
db.execute("ROLLBACK")
"""


class Intruder:
    """A process that takes the lock as soon as it can, and holds it for some seconds."""

    def __init__(self, database: Path, seconds: float) -> None:
        command = [sys.executable, "-S", "-c", _HOLD, str(database), str(seconds)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def wait_for_lock(self) -> None:
        """Wait until it has the lock."""
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "locked\n"

    @property
    def has_gone(self) -> bool:
        return self._process.poll() is not None
