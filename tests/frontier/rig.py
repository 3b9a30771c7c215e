"""A crawl without a network, for tests that answer every request themselves: real parts, a clock to be set.

Frontier, catalog, offers and engine are those of every crawl; what the engine's loop would do is done one
step at a time. ``crash`` drops all that is in memory and wakes up from the folder, as after a kill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from tests.engines import engine_of

from homing.crawler.requests import Outcome
from homing.frontier.frontier import Frontier
from homing.judge.keywords import Keywords
from homing.model import Entry, Failure, Reply, Wait
from homing.store.folder import open_catalog
from homing.strategies import Strategy

_MEMORY = Path("/dev/shm")
_JUDGE = Keywords("moths")


class HandClock:
    """Stands still until it is moved. In whole seconds, so that sums of times are exact."""

    def __init__(self) -> None:
        self.seconds = 1_700_000_000.0
        self.born = self.seconds - 5_000.0

    def now(self) -> float:
        return self.seconds - self.born

    def wall(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody sleeps here")


class _Nobody:
    """The fetcher: never asked, as the test has the answers."""

    async def fetch(self, entry: Entry) -> Reply | Failure | Wait:
        raise AssertionError(f"{entry.url} was asked for")

    async def close(self) -> None: ...


class Rig:
    """A crawl in a folder, awake.

    Parameters
    ----------
    strategy
        Makes the strategy, anew at every start.
    frontier
        Makes the frontier, likewise.
    """

    def __init__(
        self,
        folder: Path,
        seeds: Sequence[str],
        *,
        strategy: Callable[[], Strategy],
        frontier: Callable[[], Frontier],
    ) -> None:
        self.clock = HandClock()
        self.leases: dict[int, Entry] = {}
        """Entries of URLs that are out, by number."""
        self._folder = folder
        self._seeds = seeds
        self._strategy = strategy
        self._frontier = frontier
        self._wake()

    def _wake(self) -> None:
        store = open_catalog(self._folder, strategy="scripted", judge="keywords", wall=self.clock.wall)
        self.roots = frozenset(store.roots())
        """What the crawl knew for seeds when it woke up."""
        self.engine = engine_of(
            self._strategy(),
            store,
            _Nobody(),
            self._seeds,
            judge=_JUDGE,
            clock=self.clock,
            frontier=self._frontier(),
        )
        self.parts = self.engine.parts

    def lease(self) -> Entry | None:
        """Step 1 of the engine, for one URL."""
        lease = self.parts.frontier.lease(self.clock.now())
        if lease is None:
            return None
        assert lease.seq not in self.leases, "a URL was handed out twice"
        entry = self.parts.frontier.urls.current(self.parts.store.entry(lease.seq))
        self.leases[lease.seq] = entry
        return entry

    def answer(self, seq: int, result: Reply | Failure | Wait | None) -> None:
        """Steps 3 to 9."""
        entry = self.leases.pop(seq)
        if isinstance(result, Reply):
            result = replace(result, url=entry.url, final_url=entry.url)
        elif result is not None:
            result = replace(result, url=entry.url)
        self.engine._take_in(Outcome(entry=entry, result=result))

    def commit(self) -> None:
        """As the engine does it: the state of the strategy is saved with it now and then."""
        self.engine._checkpoint.commit(self.clock.now())

    def stop(self) -> None:
        """Ctrl-C, and the same command again."""
        for seq in list(self.leases):
            self.answer(seq, None)
        self.engine._finish()
        self.crash()

    def crash(self) -> None:
        """Kill and restart: the machine's own clock begins anew."""
        self.close()
        self.leases.clear()
        self.clock.born = self.clock.seconds - 40.0
        self._wake()

    def close(self) -> None:
        self.parts.store.close()
        self.parts.thread.shutdown()


def fleeting_folder() -> TemporaryDirectory[str]:
    """In memory where that can be had: a thousand commits that wait for a disk take a minute."""
    return TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None)


def page(*links: str, status: int = 200, **headers: str) -> Reply:
    """What a host may answer; whose answer it is stands in the entry."""
    hrefs = "".join(f"<a href={link}>{link}</a> " for link in links)
    sent = (("Content-Type", "text/html"), *headers.items())
    body = f"<p>moths {hrefs}".encode()
    return Reply(url="", final_url="", status=status, headers=sent, body=body, requested_at=1_700_000_000.0)
