"""A web whose links are mostly dead is no trap: its good pages stay reachable."""

import asyncio
import zlib
from pathlib import Path

import pytest

from homing.config import Config
from homing.crawler.assembly import parts_of, reader_of
from homing.crawler.engine import Engine
from homing.crawler.progress import Counters, Limits
from homing.crawler.resume import resume
from homing.judge.keywords import Keywords
from homing.lab.archives.sources import Sources
from homing.lab.replay import AtOnce, ReplayFetcher, ReplayParser, StandingClock
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import record
from homing.model import Entry, Reply
from homing.store.memory import MemoryStore
from homing.strategies import BreadthFirst

WEBKB = Path(__file__).parents[4] / "shared" / "data" / "webs" / "webkb" / "pages.jsonl.xz"
SEEDS = ("http://www.cs.cornell.edu/", "http://www.cs.utexas.edu/", "http://www.cs.washington.edu/")


class ThirdDead(ReplayFetcher):
    """Answers 404 for every third URL, as for all that were not recorded."""

    def __init__(self, web: RecordedWeb) -> None:
        super().__init__(web)
        self.good: set[str] = set()

    async def fetch(self, entry: Entry) -> Reply:
        if entry.parent is not None and zlib.crc32(entry.url.encode()) % 3 == 0:
            return Reply(url=entry.url, final_url=entry.url, status=404)
        reply = await super().fetch(entry)
        if reply.status == 200:
            self.good.add(entry.url)
        return reply


def reached(web: RecordedWeb, *, avoid_traps: bool) -> set[str]:
    """Crawl to the end; the good pages that were fetched."""
    fetcher, strategy, judge = ThirdDead(web), BreadthFirst(), Keywords("courses in computer science")
    strategy.begin(judge.topic())
    config = Config.of(
        {"fetch": {"concurrency": 1}, "pace": {"delay": 0.0}, "scope": {"avoid_traps": avoid_traps}}
    )
    parts = parts_of(
        config,
        strategy=strategy,
        reader=reader_of(config, judge, ReplayParser(web)),
        store=MemoryStore(bodies=False),
        fetcher=fetcher,
        clock=StandingClock(),
        thread=AtOnce(),
    )
    engine = Engine(parts, limits=Limits(concurrency=1), counters=Counters())
    resume(engine, SEEDS)
    asyncio.run(engine.run())
    return fetcher.good


@pytest.mark.skipif(not WEBKB.exists(), reason="needs the recorded web webkb beside the project")
def test_a_university_with_a_third_of_its_pages_dead_stays_reachable(tmp_path: Path) -> None:
    record(Sources([str(WEBKB)]), tmp_path / "webkb")
    with RecordedWeb(tmp_path / "webkb") as web:
        every = reached(web, avoid_traps=False)
        found = reached(web, avoid_traps=True)
    assert len(every) > 1_500
    assert len(found) >= 0.99 * len(every)
