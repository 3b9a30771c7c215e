"""The little web: sites generated from a seed, to crawl without a network.

It is what ``homing demo`` crawls and what the tests crawl: about 1,500 pages on 40 hosts, a few topics,
link lists, navigation bars, pages that only touch on the topic, dead links, redirects and failing hosts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from types import MappingProxyType

from homing.demo.web.answers import WebPage, page, refusal
from homing.demo.web.extras import extras
from homing.demo.web.hrefs import address, salt_of
from homing.demo.web.layout import PORTAL, Layout
from homing.demo.web.link_plan import crumbs, footer, navigation, outlinks
from homing.demo.web.page_frame import content_type
from homing.demo.web.page_html import planned_page, simple_page
from homing.demo.web.sites import Quirk, Site
from homing.demo.web.traps import calendar, shop
from homing.demo.web.vocabulary import TOPICS
from homing.demo.web.wear import Wear

_KEPT = 2048
"""Rendered pages kept in memory: all of the default web, a part of a large one (about 5 KB each)."""


class LittleWeb:
    """A web generated from a seed: the same seed and sizes give the same bytes on any machine.

    Pages are rendered on request, so a large web costs little until it is read.

    Parameters
    ----------
    seed
        Everything else follows from it.
    pages
        Number of pages, not counting files such as robots.txt, redirects and traps.
    hosts
        Number of hosts; a host has at least ten pages.
    topics
        Topics of the pages; the first is the one to look for. ``vocabulary.TOPICS`` has all.
    share
        Share of the pages on the first topic.

    Examples
    --------
    >>> web = LittleWeb(seed=1)
    >>> len(web.hosts), len(web.targets)
    (40, 90)
    >>> web.pages[web.seeds[0]].body == LittleWeb(seed=1).pages[web.seeds[0]].body
    True
    """

    def __init__(
        self,
        seed: int = 1,
        *,
        pages: int = 1500,
        hosts: int = 40,
        topics: Sequence[str] = TOPICS,
        share: float = 0.06,
    ) -> None:
        self.topic = topics[0]
        self._layout = Layout(seed=seed, topics=topics, pages=pages, hosts=hosts, share=share)
        self._wear = Wear(self._layout)
        self._extras = extras(self._layout, self._wear)
        self._sites = {site.host: site for site in self._layout.sites}
        self._targets = frozenset(self._layout.targets)
        self._rendered = lru_cache(maxsize=_KEPT)(self._render)
        self.hosts: tuple[str, ...] = tuple(self._sites)
        self.seeds: tuple[str, ...] = (self._layout.url[PORTAL],)
        self.targets: frozenset[str] = frozenset(self._layout.url[page] for page in self._targets)
        """Addresses of the articles on the topic. Lists of such articles, and homes of sites that have
        many, lead to targets but are none."""
        self.pages: Mapping[str, WebPage] = _Pages(self._layout.url, self._extras, self._known)
        """Every address with a page, except the endless ones of the traps."""

    def answer(self, host: str, path_and_query: str) -> WebPage:
        """Return the response of a host to a request; unknown addresses are a 404."""
        url = f"http://{host}{path_and_query}"
        known = self._known(url)
        if known is not None:
            return known
        site = self._sites.get(host)
        trap = _trap(site, path_and_query) if site else None
        if site is None or trap is None:
            return refusal(url, 404)
        title, text, links = trap
        body = simple_page(self._layout, self._wear, url, site, title, text, links)
        return page(url, body, content_type=content_type(site))

    def links(self, url: str) -> tuple[str, ...]:
        """Return the links of a planned page, in no particular order; none for any other address.

        The links into traps, to dead addresses and to old addresses of pages that moved are among them.
        """
        number = self._layout.number.get(url)
        if number is None:
            return ()
        layout = self._layout
        around = navigation(layout, number) + crumbs(layout, number) + footer(layout, number)
        planned = (*around, *outlinks(layout, number).pages())
        there = partial(address, layout, self._wear, salt_of(url))
        odd = [link.url for link in self._wear.odd.get(number, ())]
        return tuple(dict.fromkeys((*map(there, planned), *odd)))

    def distances(self) -> Mapping[str, int]:
        """Return the hops from the seed to every page that a polite crawler can reach by links.

        A redirect is no hop. Links of nofollow pages are not followed.
        """
        return self._distances

    @cached_property
    def _distances(self) -> Mapping[str, int]:
        far = dict.fromkeys(self.seeds, 0)
        queue = deque(self.seeds)
        closed = {self._layout.url[number] for number in self._layout.nofollow}
        while queue:
            url = queue.popleft()
            if url in closed:
                continue
            for link in self.links(url):
                there = self._follow(link)
                if there and there not in far:
                    far[there] = far[url] + 1
                    queue.append(there)
        return MappingProxyType(far)

    def _follow(self, url: str) -> str | None:
        """Follow redirects to a planned page; return ``None`` if there is none."""
        for _ in range(10):
            if url in self._layout.number:
                return url
            if url not in self._wear.redirects:
                return None
            url, _status = self._wear.redirects[url]
        return None

    def _known(self, url: str) -> WebPage | None:
        number = self._layout.number.get(url)
        if number is not None:
            return self._rendered(number)
        extra = self._extras.get(url)
        return extra() if extra else None

    def _render(self, number: int) -> WebPage:
        layout = self._layout
        return page(
            layout.url[number],
            planned_page(layout, self._wear, number),
            content_type=content_type(layout.sites[layout.site[number]]),
            topic=layout.topic[number],
            is_target=number in self._targets,
        )


class _Pages(Mapping[str, WebPage]):
    """Pages by address, each rendered when it is read."""

    def __init__(
        self, planned: Sequence[str], others: Mapping[str, object], known: Callable[[str], WebPage | None]
    ) -> None:
        self._planned = planned
        self._others = others
        self._known = known

    def __getitem__(self, url: str) -> WebPage:
        known = self._known(url)
        if known is None:
            raise KeyError(url)
        return known

    def __iter__(self) -> Iterator[str]:
        yield from self._planned
        yield from self._others

    def __len__(self) -> int:
        return len(self._planned) + len(self._others)


def _trap(site: Site, path_and_query: str) -> tuple[str, str, list[tuple[str, str]]] | None:
    if Quirk.CALENDAR in site.quirks and path_and_query.startswith("/calendar/"):
        return calendar(path_and_query)
    if Quirk.SESSIONS in site.quirks and path_and_query.startswith("/shop/"):
        return shop(path_and_query)
    return None
