"""What a worker process of the lab owes its parent: to leave signals to it, and not to outlive it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Block the signals that end a command, so that processes started in here do not receive them.

    A process inherits a blocked signal, and the parent receives it at the end. A pool must exist before:
    creating one starts a process that unblocks signals again.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does: its worker processes end, and its drafts go."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:  # nohup ignores one
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave_signals_to_parent() -> None:
    """Ignore the signals that end a command: a terminal sends them to all its processes alike."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def die_with_parent() -> None:
    """End this process when its parent ends, however that does: nothing else would tell it."""
    threading.Thread(target=_watch_parent, name="watch the parent", daemon=True).start()


def _watch_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
