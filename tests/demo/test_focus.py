"""The little web rewards a focused crawl: words around links lead to targets, but not at once.

This is a crawler in miniature; ``demonstration`` is tested with the real one in ``tests/cli/test_demo.py``.
"""

from __future__ import annotations

import heapq
import re
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from homing.demo.web.little_web import LittleWeb

PAGES = 300


def relevance(text: str) -> float:
    """How many of the topic's two words are there."""
    return sum(re.search(stem, text, re.IGNORECASE) is not None for stem in ("butterfl", "garden")) / 2


def harvest(web: LittleWeb, *, focused: bool) -> int:
    """Targets among the first pages, best link first or oldest link first."""
    heap = [(0.0, number, url) for number, url in enumerate(web.seeds)]
    seen = set(web.seeds)
    fetched: list[str] = []
    while heap and len(fetched) < PAGES:
        priority, _, url = heapq.heappop(heap)
        parts = urlsplit(url)
        assert parts.hostname
        page = web.answer(parts.hostname, parts.path + (f"?{parts.query}" if parts.query else ""))
        found: list[tuple[float, str]] = []
        if page.status in (301, 302):
            found = [(priority, page.header("Location"))]
        elif page.status == 200 and page.header("Content-Type").startswith("text/html"):
            fetched.append(url)
            tree = LexborHTMLParser(page.body)
            base = tree.css_first("base[href]")
            start = (base.attributes["href"] if base else None) or url
            whole = relevance(tree.body.text()) if tree.body else 0.0
            for link in tree.css("a[href]"):
                target, _ = urldefrag(urljoin(start, link.attributes["href"] or ""))
                block = link.parent.html if link.parent and link.parent.tag == "li" else link.html
                found.append((-0.25 * whole - 0.75 * relevance(block or "") if focused else 0.0, target))
        for rank, target in found:
            if target not in seen:
                seen.add(target)
                heapq.heappush(heap, (rank, len(seen), target))
    return len(web.targets.intersection(fetched))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_focused_crawl_finds_at_least_three_times_the_targets_but_not_all(seed: int) -> None:
    web = LittleWeb(seed)
    focused, blind = harvest(web, focused=True), harvest(web, focused=False)
    assert 3 <= blind < len(web.targets) / 4
    assert 3 * blind <= focused < len(web.targets)
