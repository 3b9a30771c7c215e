"""One writer a crawl folder. The lock dies with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
import platform
from pathlib import Path
from weakref import WeakSet

import orjson

from homing.errors import LockedError


class Lock:
    """Holds a crawl folder from its creation until ``release``.

    Parameters
    ----------
    path
        The lock file. It stays behind: to remove it while another process opens it would give two
        processes a lock on two different files of one name.
    command
        What the holder is doing, for the error that others get.
    """

    def __init__(self, path: Path, *, command: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._descriptor, 4096, 0)
            os.close(self._descriptor)
            raise LockedError(_complaint(path.parent, holder)) from None
        about = {"pid": os.getpid(), "host": platform.node(), "command": command[:1000]}
        try:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, orjson.dumps(about), 0)
        except OSError:  # a full disk
            self.release()
            raise
        _held.add(self)

    def release(self) -> None:
        """Let others write; may be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_held(path: Path) -> bool:
    """Check whether a process holds the lock.

    The check takes the lock for a moment, shared with other checks: a writer that starts at that very moment
    would be refused. So check only where a crawl did not end cleanly.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


_held: WeakSet[Lock] = WeakSet()


def _let_go_in_child() -> None:
    # A forked child shares the lock: one that outlived a killed parent would keep the folder locked.
    for lock in list(_held):
        lock.release()


os.register_at_fork(after_in_child=_let_go_in_child)


def _complaint(folder: Path, holder: bytes) -> str:
    try:
        about = orjson.loads(holder)
        who = f"process {about['pid']} ({about['command']})"
        if about["host"] != platform.node():
            who += f" on {about['host']}"
    except (orjson.JSONDecodeError, KeyError, TypeError):
        # The holder has the lock but has not yet written who it is.
        who = "another process"
    return f"{folder} is being written by {who}; wait for it or stop it"
