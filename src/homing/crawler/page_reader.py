"""Steps 3 and 4 of a page's way: parse it, judge it; in this process, or in one that can be killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from dataclasses import replace as exchanged
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from msgspec.structs import replace

from homing.model import Judgement, Kind, Page, Reply
from homing.ports import Judge, Parser

BIG_PAGE = 256 * 1024
"""A body over this many bytes is always read in a worker: it may be hostile, and would hold up the rest."""
MANY_MARKS = 4_000
"""The same for so many tags or entities: in a quarter of a megabyte they can take half a second."""
SECONDS_A_PAGE = 10.0
WORKER_BYTES = 2 * 1024**3
UNREADABLE = "none"
"""Who judged a page that no worker could parse: nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page as it was read, and what the judge thought of it."""

    page: Page
    judgement: Judgement
    lesson: int = 0
    """Which lesson its judge had had; see ``Desk``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where replies are read: the parser, the judge, and the only language wanted, if any."""

    parser: Parser
    judge: Judge
    language: str = ""
    lesson: int = 0
    """How often the judge was taught anew since the crawl was opened."""

    def read(self, reply: Reply, kind: Kind) -> Reading:
        """Parse and judge. A sitemap is not judged: it is no page, only a way to pages."""
        page = self.parser.read(reply, kind)
        if kind == "sitemap":
            return Reading(page=page, judgement=Judgement(score=0.0, relevant=False, judge="sitemap"))
        return Reading(page=page, judgement=self.judgement(page), lesson=self.lesson)

    def judgement(self, page: Page) -> Judgement:
        """What the judge thinks of a page; in another language than the one that is wanted, it is nothing."""
        judgement = self.judge.judge(page)
        wanted = self.language.partition("-")[0]  # pages are told apart by language, not by country
        if wanted and page.language and page.language != wanted:
            why = ((f"language {page.language}", 0.0),)
            return replace(judgement, score=0.0, relevant=False, why=why)
        return judgement

    def give_up(self, reply: Reply) -> Reading:
        """What is left of a page that no worker could read."""
        page = Page(url=reply.final_url)
        why = (("could not be parsed", 0.0),)
        return Reading(page=page, judgement=Judgement(score=0.0, relevant=False, judge=UNREADABLE, why=why))


class Workers:
    """Processes that read pages. One that takes too long, or too much memory, is killed and replaced.

    Parameters
    ----------
    desk
        What each of them works at.
    count
        How many there are. With none, one is started when the first big page arrives.
    """

    def __init__(self, desk: Desk, count: int) -> None:
        self.desk = desk
        self.all_pages = count > 0
        """Small pages too go to the workers."""
        self._places: asyncio.Queue[_Worker | None] = asyncio.Queue()
        for _ in range(max(count, 1)):
            self._places.put_nowait(None)

    def wants(self, reply: Reply) -> bool:
        """Should this reply be read by a worker?"""
        body = reply.body
        return self.all_pages or len(body) > BIG_PAGE or body.count(b"<") + body.count(b"&") > MANY_MARKS

    def teach(self, judge: Judge) -> None:
        """From now on this judge judges; who is at work with the one before is replaced when next needed."""
        self.desk = exchanged(self.desk, judge=judge, lesson=self.desk.lesson + 1)

    def finished(self, reading: Reading | None, reply: Reply, kind: Kind) -> Reading:
        """What a worker has read, or else it is read here; by the judge of now, in any case."""
        if reading is None:
            return self.desk.read(reply, kind)
        if reading.lesson == self.desk.lesson or reading.judgement.judge == UNREADABLE:
            return reading
        return exchanged(reading, judgement=self.desk.judgement(reading.page), lesson=self.desk.lesson)

    async def read(self, reply: Reply, kind: Kind) -> Reading:
        """Read a reply in a worker; where none can, a page with nothing in it."""
        async with self._place() as worker:
            reading = await asyncio.to_thread(worker.read, reply, kind)
        return reading or self.desk.give_up(reply)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[_Worker]:
        worker = await self._places.get()
        try:
            if worker is not None and worker.lesson != self.desk.lesson:
                worker.end()
            if worker is None or not worker.alive:
                worker = await asyncio.to_thread(_Worker, self.desk)
            yield worker
        finally:
            self._places.put_nowait(worker)

    def close(self) -> None:
        """End all workers."""
        while not self._places.empty():
            worker = self._places.get_nowait()
            if worker is not None:
                worker.end()


class _Worker:
    """One process at the other end of a pipe."""

    def __init__(self, desk: Desk) -> None:
        # A fresh interpreter rather than a fork: this process has threads, and a fork of it may hang.
        context = multiprocessing.get_context("spawn")
        self.lesson = desk.lesson
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(theirs, desk), daemon=True)
        with _signals_held_back():
            self._process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def read(self, reply: Reply, kind: Kind) -> Reading | None:
        """The reading, or ``None`` if the process had to be killed or died over it."""
        try:
            self._pipe.send((replace(reply, body=b""), kind))
            self._pipe.send_bytes(reply.body)  # as it is: pickled, a large one would be in memory twice
            if self._pipe.poll(SECONDS_A_PAGE):
                answer = self._pipe.recv()
                assert isinstance(answer, Reading)
                return answer
        except (EOFError, BrokenPipeError, ConnectionResetError):
            pass  # it died: out of memory, or a crash in the parser's C code
        self.end()
        return None

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, desk: Desk) -> None:
    """The worker's life: read until the pipe closes."""
    resource.setrlimit(resource.RLIMIT_AS, (WORKER_BYTES, WORKER_BYTES))
    while True:
        try:
            reply, kind = pipe.recv()
            reply = replace(reply, body=pipe.recv_bytes())
        except (EOFError, KeyboardInterrupt):
            return
        try:
            pipe.send(desk.read(reply, kind))
        except (MemoryError, BrokenPipeError):  # or the crawler was killed meanwhile
            return


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """A process begun in here never hears of Ctrl-C or SIGTERM: these are the crawler's to answer.

    A terminal and a service manager send them to all processes of a crawl alike. A worker that died of one
    would take the page with it that it just reads, and a page without links would be kept in its place.
    """
    resource_tracker.ensure_running()  # it would be started with the process, and let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
