"""Steps 3 and 4 of a page: parse it and judge it, in this process or in one that can be killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from msgspec.structs import replace

from homing.model import Judgement, Kind, Page, Reading, Reply
from homing.ports import Judge, Parser
from homing.processes import safe_path

BIG_PAGE = 256 * 1024
"""A body over this many bytes is always read in a worker: it may be hostile, and would hold up the rest."""
MANY_MARKS = 4_000
"""The same for this many tags or entities: a quarter of a megabyte of them can take half a second."""
SECONDS_A_PAGE = 10.0
WORKER_BYTES = 2 * 1024**3
UNREADABLE = "none"
"""The judge of a page that no worker could parse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Parses and judges pages; in a worker process, a copy of it does."""

    parser: Parser
    judge: Judge
    language: str = ""
    """The only language wanted, if any."""
    version: int = 0
    """How often the judge was replaced since the crawl was opened."""

    def read(self, reply: Reply, kind: Kind) -> Reading:
        """Parse and judge. A sitemap is not judged: it is no page, only a way to pages."""
        page = self.parser.read(reply, kind)
        judgement = None if kind == "sitemap" else self.judgement(page)
        return Reading(page=page, judgement=judgement, version=self.version)

    def judgement(self, page: Page) -> Judgement:
        """Judge a page; in another language than the wanted one, it scores nothing."""
        judgement = self.judge.judge(page)
        wanted = self.language.partition("-")[0]  # pages are told apart by language, not by country
        if wanted and page.language and page.language != wanted:
            why = ((f"language {page.language}", 0.0),)
            return replace(judgement, score=0.0, relevant=False, why=why)
        return judgement


class Reader:
    """Reads pages here, or in worker processes. A worker that takes too long, or too much memory, is killed.

    Parameters
    ----------
    parser, judge
        What a page is read with.
    language
        The only language wanted, if any.
    workers
        Processes that read every page. With none, one is started when the first big page arrives.
    """

    def __init__(self, parser: Parser, judge: Judge, *, language: str = "", workers: int = 0) -> None:
        self._reader = PageReader(parser=parser, judge=judge, language=language)
        self._all_pages = workers > 0
        """Small pages too go to the workers."""
        self._places: asyncio.Queue[_Worker | None] = asyncio.Queue()
        for _ in range(max(workers, 1)):
            self._places.put_nowait(None)

    def parse(self, reply: Reply, kind: Kind) -> Page:
        """Step 3: the page in a reply."""
        return self._reader.parser.read(reply, kind)

    def judge(self, page: Page, reading: Reading | None = None) -> Judgement:
        """Step 4: how much the page is about the topic.

        A worker's judgement counts if its judge is the present one.
        """
        if reading is not None and reading.judgement is not None:
            is_current = reading.version == self._reader.version
            if is_current or reading.judgement.judge == UNREADABLE:
                return reading.judgement
        return self._reader.judgement(page)

    def use(self, judge: Judge) -> None:
        """Judge with this judge from now on; workers with the one before are replaced when next needed."""
        before = self._reader
        self._reader = PageReader(
            parser=before.parser, judge=judge, language=before.language, version=before.version + 1
        )

    # -- in a worker process

    def wants(self, reply: Reply) -> bool:
        """Should this reply be read by a worker?"""
        body = reply.body
        return self._all_pages or len(body) > BIG_PAGE or body.count(b"<") + body.count(b"&") > MANY_MARKS

    async def read(self, reply: Reply, kind: Kind) -> Reading:
        """Read a reply in a worker; if none can, return a page with nothing in it."""
        async with self._place() as worker:
            reading = await asyncio.to_thread(worker.read, reply, kind)
        if reading is not None:
            return reading
        why = (("could not be parsed", 0.0),)
        judgement = Judgement(score=0.0, relevant=False, judge=UNREADABLE, why=why)
        return Reading(page=Page(url=reply.final_url), judgement=judgement, version=self._reader.version)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[_Worker]:
        worker = await self._places.get()
        try:
            if worker is not None and worker.version != self._reader.version:
                worker.end()
            if worker is None or not worker.alive:
                worker = await asyncio.to_thread(_Worker, self._reader)
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

    def __init__(self, reader: PageReader) -> None:
        # A fresh interpreter rather than a fork: this process has threads, and a fork of it may hang.
        context = multiprocessing.get_context("spawn")
        self.version = reader.version
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(theirs, reader), daemon=True)
        with safe_path(), _signals_blocked():
            self._process.start()
        theirs.close()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def read(self, reply: Reply, kind: Kind) -> Reading | None:
        """Return the reading, or ``None`` if the process had to be killed or died over it."""
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


def _work(pipe: Connection, reader: PageReader) -> None:
    """Read until the pipe closes: a worker's life."""
    resource.setrlimit(resource.RLIMIT_AS, (WORKER_BYTES, WORKER_BYTES))
    while True:
        try:
            reply, kind = pipe.recv()
            reply = replace(reply, body=pipe.recv_bytes())
        except (EOFError, KeyboardInterrupt):
            return
        try:
            pipe.send(reader.read(reply, kind))
        except (MemoryError, BrokenPipeError):  # or the crawler was killed meanwhile
            return


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Keep Ctrl-C, SIGTERM and SIGHUP from a process that is started in here: the crawler answers them.

    A terminal and a service manager send them to all processes of a crawl alike. A worker that died of one
    would take the page with it that it just reads, and a page without links would be kept in its place.
    """
    resource_tracker.ensure_running()  # it would be started with the process, and let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
