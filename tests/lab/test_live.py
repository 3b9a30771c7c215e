"""A live crawl of a recorded web that is served takes the same pages as its replay."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.demo.web.little_web import LittleWeb
from homing.judge.keywords import Keywords
from homing.lab.crawl import crawl
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.server import serve
from homing.registry import make
from homing.store.views.reader import Reader
from homing.strategies import STRATEGIES

PAGES = 90
STRATEGIES_AND_PARAMETERS: dict[str, dict[str, object]] = {
    "link-context": {},
    "otie": {},
    "navigational-rank": {},
    "tunnelling": {},
    "layered": {"fit_after": 30},
    "crf": {"fit_after": 30, "walks": 60, "vocabulary": 40},
}


def live(folder: Path, out: Path, little: LittleWeb, strategy: dict[str, object]) -> list[str]:
    async def run() -> None:
        async with serve(folder) as server:
            config = Config.of(
                {
                    "topic": {"text": little.topic},
                    "judge": {"name": "keywords"},
                    "seeds": {"urls": list(little.seeds)},
                    "fetch": {"connect_to": server.address, "concurrency": 1},
                    "pace": {"delay": 0.0},
                    "strategy": strategy,
                    "stop": {"pages": PAGES},
                }
            )
            opened = open_crawl(config, out)
            try:
                await opened.run()
            finally:
                opened.close()

    asyncio.run(run())
    with Reader(out) as reader:
        return [row.url for row in reader.pages()]


@pytest.mark.parametrize("name", STRATEGIES_AND_PARAMETERS)
def test_a_live_crawl_takes_the_same_urls_in_the_same_order_as_its_replay(
    name: str, little_folder: Path, little_web: LittleWeb, little: RecordedWeb, tmp_path: Path
) -> None:
    parameters = STRATEGIES_AND_PARAMETERS[name]
    replayed = crawl(
        little,
        make(STRATEGIES.get(name), parameters),
        Keywords(little_web.topic),
        little_web.seeds,
        pages=PAGES,
        outside="fail",
    )
    asked = live(little_folder, tmp_path / "live", little_web, {"name": name, **parameters})
    assert asked == list(replayed.urls)
    assert len(asked) == PAGES
