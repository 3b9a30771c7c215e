"""A small crawl folder, and a little web to crawl."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from homing import urls
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import Server, serve
from homing.model import Entry, Failure, Host, Judgement, Page, Priority, Reply, Standing, Why
from homing.ports import NewVisit
from homing.store.folder import open_catalog

HOSTS = ("seed.example", "bees.example", "dead.example")


def _entry(
    seq: int,
    url: str,
    score: float,
    *,
    parent: int | None = None,
    anchor: str = "",
    why: Why = (),
    tries: int = 0,
) -> Entry:
    return Entry(
        key=urls.key(url),
        url=url,
        priority=Priority(score=score),
        why=why,
        depth=0 if parent is None else 1,
        parent=parent,
        anchor=anchor,
        seq=seq,
        tries=tries,
    )


ENTRIES = (
    _entry(0, "https://seed.example/", 1.0),
    _entry(
        1, "https://bees.example/a", 0.8, parent=0, anchor="wild bees", why=(("anchor", 0.5), ("page", 0.3))
    ),
    _entry(2, "https://bees.example/b", 0.4, parent=0, anchor='"quoted", and\nbroken'),
    _entry(3, "https://dead.example/", 0.3, parent=0, anchor="dead end"),
    _entry(4, "https://seed.example/later", 0.2, parent=1, anchor="later", why=(("anchor", 0.2),)),
    _entry(5, "https://seed.example/old", 0.2, parent=0, anchor="moved"),
)


def _html(title: str, text: str) -> bytes:
    return f"<html><head><title>{title}</title></head><body><p>{text}</p></body></html>".encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl of three pages, one failure, one redirect and one queued URL."""
    path = tmp_path / "a-crawl"
    store = open_catalog(path, strategy="link-context", judge="keywords", wall=lambda: 1_700_000_000.0)
    store.add_hosts([Host(number=number, name=name) for number, name in enumerate(HOSTS)])
    store.add(ENTRIES, [HOSTS.index(urls.host(entry.url)) for entry in ENTRIES])
    pages = (
        (0, "Seed \x1b[31m& more", 0.2, (), [1, 2, 3, 5]),
        (1, "Wild bees, “Wildbienen”", 0.9, (("bees", 0.6), ("wild", 0.3)), [0, 4]),
        (2, 'A "second"\npage', 0.6, (("bees", 0.6),), [1]),
    )
    for step, (seq, title, score, why, links) in enumerate(pages, start=1):
        body = _html(f"Page {seq}", f"Wild bees live alone, says page number {seq}; each digs its own nest.")
        url = ENTRIES[seq].url
        reply = Reply(
            url=url,
            final_url=url,
            status=200,
            headers=(("Content-Type", "text/html; charset=utf-8"),),
            body=body,
            requested_at=1_700_000_000.25 + step,
        )
        store.keep(
            NewVisit(
                reply=reply,
                entry=ENTRIES[seq],
                step=step,
                standing=Standing.DONE,
                page=Page(url=url, title=title, text="Wild bees", language="en", digest="sha1:X"),
                judgement=Judgement(score=score, relevant=score >= 0.5, judge="keywords", why=why),
            )
        )
        store.link(seq, links)
    store.settle(ENTRIES[3], Standing.FAILED, Failure(url=ENTRIES[3].url, kind="dns", detail="no such name"))
    moved = Reply(
        url=ENTRIES[5].url,
        final_url=ENTRIES[5].url,
        status=301,
        headers=(("Location", "https://bees.example/a"),),
        requested_at=1_700_000_009.0,
    )
    store.keep(NewVisit(reply=moved, entry=ENTRIES[5], step=3, standing=Standing.REDIRECTED))
    store.link(5, [1])
    store.note("seconds", 12.5)
    store.note("stop_reason", "pages")
    store.commit()
    store.close()
    return path


@dataclass(frozen=True)
class Served:
    """The little web on loopback."""

    web: LittleWeb
    server: Server

    @property
    def options(self) -> tuple[str, ...]:
        """How to reach it, in no hurry and with no delay."""
        return ("--connect-to", self.server.address, "--delay", "0")

    @property
    def targets(self) -> list[str]:
        """Articles on the topic that answer with a page."""
        return [url for url in sorted(self.web.targets) if self.web.pages[url].status == 200]

    @property
    def others(self) -> list[str]:
        """Articles on something else."""
        known = sorted(set(self.web.pages) - set(self.web.targets) - set(self.web.seeds))
        pages = [url for url in known if self.web.pages[url].status == 200]
        return [url for url in pages if self.web.pages[url].header("Content-Type").startswith("text/html")]

    def save(self, folder: Path, urls: list[str]) -> Path:
        """These pages as files."""
        folder.mkdir(parents=True)
        for number, url in enumerate(urls):
            (folder / f"{number}.html").write_bytes(self.web.pages[url].body)
        return folder

    def reply(self, url: str) -> Reply:
        """What it answers."""
        page = self.web.pages[url]
        return Reply(url=url, final_url=url, status=page.status, headers=page.headers, body=page.body)

    def asked(self) -> list[str]:
        return [f"http://{request.host}{request.path}" for request in self.server.log]


@pytest.fixture(scope="session")
def _served() -> Iterator[Served]:
    loop = asyncio.new_event_loop()
    found: list[Server] = []
    ready, leave = threading.Event(), asyncio.Event()

    async def stay() -> None:
        async with serve(LittleWeb(1, pages=300, hosts=12)) as server:
            found.append(server)
            ready.set()
            await leave.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(stay(),))
    thread.start()
    assert ready.wait(10)
    yield Served(web=found[0].web, server=found[0])
    loop.call_soon_threadsafe(leave.set)
    thread.join()
    loop.close()


@pytest.fixture
def served(_served: Served) -> Served:
    """The little web, before any request."""
    _served.server.log.clear()
    return _served
