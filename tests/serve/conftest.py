"""A crawl of the little web, one of a hostile web, and the app over them on a real port."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from aiohttp import web
from playwright.sync_api import Browser, sync_playwright
from tests.serve.browsing import CHROMIUM
from tests.serve.crawling import RunningCrawl, config, crawl_little_web
from tests.serve.serving import TOKEN, serving

from homing.crawler.index.catch_up import catch_up
from homing.crawler.opening import open_crawl

PAGES = 120

HOSTILE_TITLE = "<script>alert('t')</script><img src=x onerror=alert(1)> butterfly \u202egardening"
HOSTILE_ANCHOR = '"><svg onload=alert(2)> {{ 7*7 }} butterfly gardening'
HOSTILE_PATH = "/'%22%3E%3Cscript%3Ealert(3)%3C/script%3E"
HOSTILE_TEXT = "Butterfly gardening &lt;script&gt;alert(4)&lt;/script&gt; with nectar for butterflies. " * 5


async def _hostile(request: web.BaseRequest) -> web.Response:
    """For every URL, a page that tries to be more than text."""
    if request.path == "/robots.txt":
        return web.Response(text="User-agent: *\nDisallow: /<script>\n")
    if request.path == "/gone":
        return web.Response(status=410)
    title = HOSTILE_TITLE.replace("<", "&lt;")
    anchor = HOSTILE_ANCHOR.replace("<", "&lt;").replace('"', "&quot;")
    links = (
        f'<a href="{HOSTILE_PATH}">{anchor}</a> <a href="javascript:alert(5)">x</a> <a href="/gone">gone</a>'
    )
    page = f"<html><head><title>{title}</title></head><body><p>{HOSTILE_TEXT}</p>{links}</body></html>"
    return web.Response(text=page, content_type="text/html")


async def _crawl_hostile(folder: Path) -> None:
    runner = web.ServerRunner(web.Server(_hostile), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = "{}:{}".format(*runner.addresses[0])
    try:
        crawl = open_crawl(config(address, ["http://hostile.example/"], pages=10), folder)
        try:
            await crawl.run()
        finally:
            crawl.close()
    finally:
        await runner.cleanup()


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of the little web."""
    folder = tmp_path_factory.mktemp("serve") / "little"
    asyncio.run(crawl_little_web(folder, PAGES))
    catch_up(folder, command="test")
    return folder


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of pages that try to be more than text."""
    folder = tmp_path_factory.mktemp("serve") / "hostile"
    asyncio.run(_crawl_hostile(folder))
    catch_up(folder, command="test")
    return folder


@pytest.fixture(scope="session")
def address(crawled: Path) -> Iterator[str]:
    """The app over the crawl of the little web: ``http://127.0.0.1:PORT``."""
    with serving(crawled) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """A client without the token."""
    with httpx.Client(base_url=address, trust_env=False) as client:
        yield client


@pytest.fixture
def owner(address: str) -> Iterator[httpx.Client]:
    """A client with the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=address, trust_env=False, headers=headers) as client:
        yield client


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningCrawl]:
    """A crawl that runs while the test does."""
    crawl = RunningCrawl(tmp_path / "running")
    yield crawl
    crawl.stop()


@pytest.fixture(scope="module")
def browser(crawled: Path, hostile: Path) -> Iterator[Browser]:
    """One for all tests here. The crawls come first: Playwright keeps an event loop in this thread."""
    with sync_playwright() as playwright:
        # Root, as in a container, may not use the sandbox.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()
