"""Sites that generate pages as fast as they are requested.

Expected: of a budget of 1,000 pages a trap site gets at most 100, whatever its kind; the good site beside it
is crawled completely; `report` says what was cut and why. Breadth-first is the worst case: a strategy that
looks at pages leaves sooner.
"""

import asyncio
import random
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.store.views.reader import Reader

PAGES = 1_000
LOST = 100
GOOD = 900
FEW = 200
"""Good pages beside a single trap: their number makes no difference to it."""

Links = list[tuple[str, str]]
Trap = Callable[[str, str], tuple[str, Links]]
"""Returns a text and its links for a host and a path with query."""


def calendar(host: str, target: str) -> tuple[str, Links]:
    months = "January February March April May June July August September October November December".split()
    _, _, *numbers = target.split("/")
    at = int(numbers[0]) * 12 + int(numbers[1]) - 1 if len(numbers) > 1 else 2026 * 12
    text = (
        f"Events in {months[at % 12]} {at // 12}. Monday Tuesday Wednesday Thursday Friday: no entries yet."
    )
    near = [(f"/calendar/{number // 12}/{number % 12 + 1}", "go") for number in (at - 1, at + 1)]
    return text, [*near, *((f"/calendar/{at // 12}/{at % 12 + 1}/{day}", str(day)) for day in range(1, 29))]


def sessions(host: str, target: str) -> tuple[str, Links]:
    fresh = [sha1(f"{target}{item}".encode()).hexdigest()[:12] for item in range(12)]
    return "Mugs and tea towels, by post.", [
        (f"/item-{n}?s={each}", f"item {n}") for n, each in enumerate(fresh)
    ]


def circles(host: str, target: str) -> tuple[str, Links]:
    folder = target.rpartition("/")[0]
    return f"You are in {folder}. Our site has news and pictures for all who like trains.", [
        (f"{folder}/{name}/", name) for name in ("img", "news", "old")
    ]


def growing(host: str, target: str) -> tuple[str, Links]:
    joint = "&" if "?" in target else "?"
    names = [f"{letter}{target.count('=')}" for letter in "abcdef"]
    return "Filter the list of shoes.", [(f"{target}{joint}{name}=1", f"by {name}") for name in names]


def missing(host: str, target: str) -> tuple[str, Links]:
    """Return a soft 404: every name has the same answer."""
    dice = random.Random(target)
    names = ["".join(dice.choices("abcdefgh", k=9)) for _ in range(12)]
    return "Sorry, we could not find that page. Maybe it has moved.", [
        (f"/{name}/{name}", "try this") for name in names
    ]


def wildcard(host: str, target: str) -> tuple[str, Links]:
    dice = random.Random(host)
    names = ["".join(dice.choices("abcdefgh", k=9)) for _ in range(12)]
    return "This domain may be for sale.", [
        (f"http://{name}.trap.example/", "more domains") for name in names
    ]


TRAPS: list[Trap] = [calendar, sessions, circles, growing, missing, wildcard]


def _written(seed: str) -> str:
    """Return a text that no other page has, about the topic of the crawl."""
    dice = random.Random(seed)
    words = ["".join(dice.choices("aeioklmnrst", k=6)) for _ in range(60)]
    return f"Butterfly gardening with {' '.join(words)}: gardening for every butterfly."


def _names(seed: str, count: int = 12) -> list[str]:
    dice = random.Random(f"names of {seed}")
    return ["".join(dice.choices("abcdefgh", k=9)) for _ in range(count)]


def farm(host: str, target: str) -> tuple[str, Links]:
    """Return a page written for whoever asks: new text and new links under every name."""
    return _written(target), [(f"/{name}", f"butterfly {name}") for name in _names(target)]


def farm_with_menu(host: str, target: str) -> tuple[str, Links]:
    """Return the same with a menu and a link back, as real pages have."""
    text, links = farm(host, target)
    return text, [(f"/{name}", name) for name in ("", "about", "contact", "garden")] + links


def farm_of_hosts(host: str, target: str) -> tuple[str, Links]:
    return _written(host), [(f"http://{name}.trap.example/", f"gardening {name}") for name in _names(host)]


def farm_of_folders(host: str, target: str) -> tuple[str, Links]:
    folder = target.rpartition("/")[0]
    return _written(target), [(f"{folder}/{name}/", f"butterfly {name}") for name in _names(target, 4)]


FARMS: list[Trap] = [farm, farm_with_menu, farm_of_hosts, farm_of_folders]


def everything(host: str, target: str) -> tuple[str, Links]:
    """Return a page of a site with all traps but the last."""
    paths = ["/calendar/2026/1", "/item-1?s=0", "/img/news/", "/list?a0=1", "/nowhere"]
    for path, trap in zip(paths, TRAPS, strict=False):
        if target != "/" and target[1:4] == path[1:4]:
            return trap(host, target)
    if target == "/":
        return "Welcome to this site.", [(path, "enter") for path in paths]
    return (circles if target.count("/") > 2 else missing)(host, target)


def good(target: str, count: int) -> tuple[str, Links]:
    number = int(target[2:] or 0)
    dice = random.Random(number)
    text = " ".join("".join(dice.choices("aeioklmnrst", k=6)) for _ in range(40))
    following = range(10 * number + 1, min(10 * number + 11, count))
    return text, [(f"/p{each}", f"page {each}") for each in following]


class Site:
    """A trap and a good site behind one port."""

    def __init__(self, trap: Trap, good: int) -> None:
        self.trap = trap
        self.good = good
        self.requested: list[str] = []

    async def answer(self, request: web.BaseRequest) -> web.Response:
        host = request.host.partition(":")[0]
        if request.path == "/robots.txt":
            return web.Response(status=404)
        self.requested.append(f"http://{host}{request.path_qs}")
        text, links = (
            good(request.path, self.good) if host == "good.example" else self.trap(host, request.path_qs)
        )
        hrefs = "".join(f'<li><a href="{href.replace("&", "&amp;")}">{name}</a>' for href, name in links)
        return web.Response(
            text=f"<title>Site</title><p>{text}</p><ul>{hrefs}</ul>", content_type="text/html"
        )

    def lost(self) -> int:
        return sum(1 for url in self.requested if str(urlsplit(url).hostname).endswith("trap.example"))

    def crawl(
        self, folder: Path, pages: int = PAGES, *, strategy: str = "breadth-first", **scope: object
    ) -> dict[str, object]:
        async def run() -> None:
            runner = web.ServerRunner(web.Server(self.answer), shutdown_timeout=0.1)
            await runner.setup()
            served = web.TCPSite(runner, "127.0.0.1", 0)
            await served.start()
            config = Config.of(
                {
                    "topic": {"text": "butterfly gardening"},
                    "seeds": {"urls": ["http://trap.example/", "http://good.example/p"]},
                    "strategy": {"name": strategy},
                    "pace": {"delay": 0.0},
                    "fetch": {"connect_to": "{}:{}".format(*runner.addresses[0]), "sitemaps": False},
                    "scope": scope,
                    "stop": {"pages": pages},
                }
            )
            crawl = open_crawl(config, folder)
            try:
                await asyncio.wait_for(crawl.run(), 60)
            finally:
                crawl.close()
                await runner.cleanup()

        asyncio.run(run())
        with Reader(folder) as reader:
            return reader.figures()


@pytest.mark.parametrize("trap", [*TRAPS, everything], ids=lambda trap: trap.__name__)
def test_a_trap_gets_a_tenth_of_the_budget_at_most(trap: Trap, tmp_path: Path) -> None:
    site = Site(trap, GOOD if trap is everything else FEW)
    figures = site.crawl(tmp_path / "crawl")
    assert 0 < site.lost() <= LOST
    assert len(site.requested) - site.lost() == site.good  # the good site is crawled to its last page
    assert figures["cut"] or figures["failed"] or figures["held_back"]


@pytest.mark.parametrize("strategy", ["breadth-first", "adaptive"])
@pytest.mark.parametrize("trap", FARMS, ids=lambda trap: trap.__name__)
def test_a_farm_of_new_pages_on_the_topic_gets_a_tenth_of_the_budget_at_most(
    trap: Trap, strategy: str, tmp_path: Path
) -> None:
    """No page of it is like another, and each is on the topic: only the growth of the site gives it away."""
    site = Site(trap, 600)
    figures = site.crawl(tmp_path / "crawl", strategy=strategy)
    assert 0 < site.lost() <= LOST
    assert len(site.requested) - site.lost() == site.good
    assert figures["held_back"]


def test_without_the_rule_half_of_the_budget_is_lost(tmp_path: Path) -> None:
    """Or the sites above would be no traps."""
    site = Site(everything, FEW)
    figures = site.crawl(tmp_path / "crawl", pages=500, avoid_traps=False)
    assert site.lost() > 2 * LOST
    assert figures["cut"] == {}


def test_a_domain_gives_no_more_than_its_budget(tmp_path: Path) -> None:
    """However many hosts it has; its other pages stay queued for a larger budget."""
    site = Site(wildcard, FEW)
    figures = site.crawl(tmp_path / "crawl", avoid_traps=False, pages_per_domain=30)
    assert site.lost() == 30
    assert figures["stop_reason"] == "hosts full"
