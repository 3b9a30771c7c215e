"""The parts with which the live engine replays a recorded web: no network, no disk, no time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Literal

from homing.lab.web.recorded import RecordedWeb
from homing.model import Entry, Judgement, Kind, Page, Reply, Topic
from homing.ports import Judge
from homing.scope import Scope

Outside = Literal["ignore", "fail"]
"""Links that lead out of a recording: never offered, or each costs a request that fails."""


class ReplayFetcher:
    """Replies as the hosts did when they were recorded; 404 for anything else."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web = web

    async def fetch(self, entry: Entry) -> Reply:
        return self._web.reply(entry.url) or Reply(url=entry.url, final_url=entry.url, status=404)

    async def close(self) -> None:
        """Do nothing: the web is closed by its owner."""


class ReplayParser:
    """A parser whose pages were parsed when the web was recorded."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web = web

    def read(self, reply: Reply, kind: Kind = "page") -> Page:
        return self._web.page(reply.final_url)


class StandingClock:
    """Time that passes only in ``sleep``: a replay needs no delays."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self._now += seconds


class RecordedScope(Scope):
    """The borders of a recording, to which a crawl may be confined."""

    def __init__(self, web: RecordedWeb) -> None:
        super().__init__()
        self._web = web

    def refusal(self, url: str, depth: int) -> str:
        return super().refusal(url, depth) if url in self._web else "was not recorded"


class AtOnce(Executor):
    """Executor that runs work at once: a replay is one sequence in one thread."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **options))
        except BaseException as error:  # raised by the caller, as with any executor
            future.set_exception(error)
        return future


class Remembering:
    """A judge that caches judgements by URL: all strategies on a unit show it the same pages."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self.rate: Callable[[list[str]], list[float]] = judge.rate
        self._judge = judge
        self._said: dict[str, Judgement] = {}

    def judge(self, page: Page) -> Judgement:
        said = self._said.get(page.url)
        if said is None:
            said = self._said[page.url] = self._judge.judge(page)
        return said

    def topic(self) -> Topic:
        return self._judge.topic()
