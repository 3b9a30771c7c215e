"""Snapshots of a running crawl while it is watched: ``pulse.json``, every two seconds.

The order of the frontier and the state of hosts are in memory alone. A snapshot is taken between two turns,
which takes a millisecond, and written by a thread of its own, which may have to wait for the disk.
"""

from __future__ import annotations

import heapq
import os
import resource
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from homing.crawler.events import Listener, Noted
from homing.crawler.parts import Parts
from homing.crawler.requests import Requests
from homing.errors import StorageError
from homing.ports import HostQueue
from homing.store.pulse_file import Awaited, HostNow, HostState, Pulse, write_pulse

EVERY = 2.0
WATCHED_FOR = 20.0
"""Seconds for which one ``snapshot`` command holds; a page that is still watched sends another in time."""
SHARE, SELDOMEST = 100, 6.0
"""A slow snapshot is taken less often, so that it costs a hundredth of the time at most; but a pulse that is
older than some seconds is of no use."""
HEAD = 20
HOSTS = 100


class Heart:
    """Writes the pulse of a crawl while it is watched, and removes it afterwards.

    Parameters
    ----------
    path
        Where the pulse is written.
    tell
        Told if it cannot be written.
    """

    def __init__(self, parts: Parts, requests: Requests, path: Path, tell: Listener) -> None:
        self._parts = parts
        self._requests = requests
        self._path = path
        self._tell = tell
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="homing-pulse")
        self._writing: Future[None] | None = None
        self._watched_until = 0.0
        self._next_at = 0.0

    def watch(self, since: float) -> None:
        """Note that a user began to watch at that moment, in seconds since 1970."""
        self._watched_until = max(self._watched_until, since + WATCHED_FOR)

    def beat(self) -> None:
        """Called about once a second, between two turns: write the pulse if one is due."""
        clock = self._parts.clock
        began, wall = clock.now(), clock.wall()
        if self._writing is not None:
            if not self._writing.done():
                return
            self._tell_trouble(self._writing)
            self._writing = None
        if wall >= self._watched_until:
            if self._watched_until:
                self._watched_until = 0.0
                self._path.unlink(missing_ok=True)
        elif began >= self._next_at:
            self._writing = self._thread.submit(write_pulse, self._path, self.taken(wall))
            # A little early: this is called once a second, and a few milliseconds must not make it three.
            self._next_at = began - 0.5 + max(EVERY, min(SHARE * (clock.now() - began), SELDOMEST))

    def taken(self, wall: float) -> Pulse:
        """Return the crawl as it is at this moment."""
        frontier, now = self._parts.frontier, self._parts.clock.now()
        # Users look for the hosts with the most pages; most hosts were never requested.
        known = (each for each in frontier.hosts if each.pages or each.busy or each.ready_at)
        hosts = heapq.nlargest(HOSTS, known, key=lambda each: (each.busy, each.pages, each.queued))
        return Pulse(
            at=wall,
            paused=self._requests.paused,
            in_flight=frontier.leased,
            head=tuple(map(self._awaited, frontier.head(HEAD))),
            hosts=tuple(self._host(each, now) for each in hosts),
            memory=resident(),
        )

    def close(self) -> None:
        """Remove the pulse."""
        self._thread.shutdown()
        self._path.unlink(missing_ok=True)

    def _awaited(self, seq: int) -> Awaited:
        store = self._parts.store
        entry = self._parts.frontier.urls.current(store.entry(seq))
        return Awaited(
            url=entry.url,
            tier=entry.priority.tier,
            score=entry.priority.score,
            why=entry.why,
            anchor=entry.anchor,
            parent=None if entry.parent is None else store.entry(entry.parent).url,
        )

    def _host(self, queue: HostQueue, now: float) -> HostNow:
        hosts = self._parts.frontier.hosts
        state: HostState = "ready"
        if queue.busy:
            state = "busy"
        elif hosts.is_full(queue.number):
            state = "full"
        elif queue.ready_at > now:
            state = "resting"
        return HostNow(
            name=queue.name,
            state=state,
            ready_in=round(max(0.0, queue.ready_at - now), 3) if state == "resting" else 0.0,
            delay=hosts.delay_of(queue.number),
            waiting=queue.queued,
            asked=queue.pages,
            failures=queue.failures,
        )

    def _tell_trouble(self, written: Future[None]) -> None:
        """Report that the pulse cannot be written; that is no reason for the crawl to end."""
        trouble = written.exception()
        if isinstance(trouble, StorageError):
            self._watched_until = 0.0
            self._tell(Noted(name="pulse", detail=str(trouble)))
        elif trouble is not None:
            raise trouble


def resident() -> int:
    """Return the bytes of main memory that this process holds; where only its peak is known, that."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
