"""Pages parsed by several processes, in the order of the replies.

Parsing is most of the work of recording a web, some 3 ms a page. The result is the same with any number of
processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice

import msgspec
import numpy as np
import zstandard
from msgspec import Struct
from numpy.typing import NDArray

from homing.errors import HomingError
from homing.lab.digest import code_digest
from homing.lab.workers import die_with_parent, leave_signals_to_parent, signals_blocked
from homing.model import Reply
from homing.parse import PageParser
from homing.processes import safe_path
from homing.urls import key

_LEVEL = 6
_BATCH = 16
"""Pages sent to a process together."""
_FEW = 128
"""Number of pages that are parsed faster than new processes start."""

_parser = PageParser()
_encoded = msgspec.msgpack.Encoder().encode

Task = tuple[int, Reply]


class Parsed(Struct, frozen=True, kw_only=True):
    """A page as it is stored."""

    number: int
    body: bytes
    """The body, packed like the page."""
    page: bytes
    onward: bytes
    """Keys of the URLs it links to, each once, as 64-bit integers."""

    @property
    def keys(self) -> NDArray[np.int64]:
        return np.frombuffer(self.onward, np.int64)


def packed(data: bytes) -> bytes:
    """Pack bodies and pages as they are stored."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def parser_digest() -> str:
    """Return a digest of the code that reads pages."""
    return code_digest(["homing.parse.page"])


def parse(task: Task) -> Parsed:
    """Parse one page; without links, if its author asks robots not to follow them."""
    number, reply = task
    page = _parser.read(reply)
    onward = () if page.nofollow else dict.fromkeys(link.url for link in page.links)
    keys = np.array([key(url) for url in onward], np.int64)
    return Parsed(number=number, body=packed(reply.body), page=packed(_encoded(page)), onward=keys.tobytes())


def parsed(tasks: Iterable[Task], processes: int | None = None) -> Iterator[Parsed]:
    """Parse numbered replies; yield pages in the order of the replies.

    Parameters
    ----------
    processes
        Number of processes. Default: one per core. With one, and for few pages, it is this process.
    """
    count = processes or len(os.sched_getaffinity(0))
    tasks = iter(tasks)
    first = [*islice(tasks, _FEW)] if count > 1 else []
    if len(first) < _FEW:
        yield from map(parse, chain(first, tasks))
        return
    context = multiprocessing.get_context("spawn")  # this process may have threads, and a fork of it may hang
    with safe_path():
        pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin)
    try:
        yield from _in_order(pool, chain(first, tasks), ahead=4 * count)
    except BrokenProcessPool:
        raise HomingError("a process that parsed pages was killed; is there enough memory?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, tasks: Iterator[Task], *, ahead: int) -> Iterator[Parsed]:
    """Distribute tasks, at most ``ahead`` batches before the first of them is done."""
    submitted: deque[Future[list[Parsed]]] = deque()
    while batch := [*islice(tasks, _BATCH)]:
        with safe_path(), signals_blocked():  # the first ones start the processes
            submitted.append(pool.submit(_parse_batch, batch))
        if len(submitted) >= ahead:
            yield from submitted.popleft().result()
    while submitted:
        yield from submitted.popleft().result()


def _parse_batch(batch: list[Task]) -> list[Parsed]:
    return [*map(parse, batch)]


def _begin() -> None:
    leave_signals_to_parent()
    die_with_parent()
