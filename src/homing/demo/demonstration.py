"""The demonstration: the little web crawled twice, focused and breadth-first."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.demo.harvest_chart import Curve
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import Server, serve
from homing.errors import FolderError
from homing.store.folder import Layout
from homing.store.lock import is_held
from homing.store.views.reader import Reader

FOCUSED, BLIND = "adaptive", "breadth-first"
MARK = "demonstration.txt"
"""A file that only folders of demonstrations have."""

Progress = Callable[[str, int], None]
"""Called with the name of the strategy and the number of pages fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """The results of both crawls."""

    folder: Path
    """The focused crawl, for ``homing report``, ``export`` and ``explain``."""
    topic: str
    pages: int
    targets: int
    """Pages on the topic in the whole little web."""
    focused: Curve
    blind: Curve


def demonstrate(
    folder: Path, *, pages: int, seed: int = 1, progress: Progress = lambda name, pages: None
) -> Demonstration:
    """Serve the little web on loopback and crawl it twice with the same number of pages."""
    web = LittleWeb(seed)
    focused, blind = asyncio.run(_crawl_both(web, folder, pages, progress))
    return Demonstration(
        folder=folder,
        topic=web.topic,
        pages=pages,
        targets=len(web.targets),
        focused=focused,
        blind=blind,
    )


async def _crawl_both(web: LittleWeb, folder: Path, pages: int, progress: Progress) -> tuple[Curve, Curve]:
    with tempfile.TemporaryDirectory() as aside:
        async with serve(web) as server:
            focused = await _crawl(server, folder, FOCUSED, pages, progress)
            (folder / MARK).write_text("Written by homing demo, which replaces this folder next time.\n")
            blind = await _crawl(server, Path(aside) / BLIND, BLIND, pages, progress)
    return focused, blind


async def _crawl(server: Server, folder: Path, strategy: str, pages: int, progress: Progress) -> Curve:
    crawl = open_crawl(_config(server, strategy, pages), folder)
    try:
        async with aclosing(crawl.visits()) as visits:
            async for visit in visits:
                progress(strategy, visit.step)
    finally:
        crawl.close()
    with Reader(folder) as reader:
        hits = [row.url in server.web.targets for row in reader.pages()]
    return Curve(name=strategy, found=list(accumulate(map(int, hits))))


def _config(server: Server, strategy: str, pages: int) -> Config:
    return Config.of(
        {
            "topic": {"text": server.web.topic},
            "seeds": {"urls": list(server.web.seeds)},
            # One request at a time makes it the same crawl on every machine; our own server needs no delay.
            "fetch": {"connect_to": server.address, "concurrency": 1},
            "pace": {"delay": 0.0, "crawl_delay_cap": 0.05},
            "strategy": {"name": strategy},
            "stop": {"pages": pages},
        }
    )


def make_room(folder: Path) -> None:
    """Remove an earlier demonstration; raise an error if the folder holds anything else, or is in use."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not (folder / MARK).is_file():
        raise FolderError(f"{folder} exists already and holds no demonstration; choose another --out")
    if is_held(Layout(folder).lock):
        raise FolderError(f"{folder} is being crawled; stop that, or choose another --out")
    shutil.rmtree(folder)
