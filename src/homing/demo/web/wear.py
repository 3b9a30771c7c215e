"""The wear of the little web: moved pages, dead links, failing hosts.

Also odd links of single pages: to an image, behind a login, into a trap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homing.demo.web.layout import PORTAL, Layout
from homing.demo.web.naming import slug
from homing.demo.web.site_pages import Kind
from homing.demo.web.sites import Quirk, Site

_WEAR = 3
IMAGE = "/images/leaf.png"
CALENDAR = "/calendar/2026/01"
SHOP = "/shop/"
_PRIVATE = ("/private/minutes", "/private/members")
_ORPHANS = ("/archive/first-number", "/archive/index-of-names")


@dataclass(frozen=True, slots=True, kw_only=True)
class OddLink:
    """A link of a single page to an address outside the layout."""

    anchor: str
    url: str
    rel: str = ""


class Wear:
    """Redirects, dead links, and the pages that link to them.

    Attributes
    ----------
    moved
        Old addresses by page number. Half of the links to the page still use them.
    redirects
        Target and status by address; chains and one loop among them.
    gone, lost
        Addresses that answer 410, and others that answer 404.
    gallery, failing
        Pages of a failing host, and those of them that answer 500. Which ones depends only on the
        address, so that a crawl can be repeated.
    private, orphans
        Pages that robots.txt disallows, and pages that only a sitemap names.
    odd
        Odd links by page number.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._dice = layout.dice(PORTAL, _WEAR)
        self._articles = [page for page, kind in enumerate(layout.kind) if kind == Kind.ARTICLE]
        self.moved: dict[int, str] = {}
        self.redirects: dict[str, tuple[str, int]] = {}
        self.odd: dict[int, list[OddLink]] = {}
        self._move()
        self._chain_and_loop()
        self.gone = tuple(self._break("back numbers", "gone", every=190))
        self.lost = tuple(self._break("an old article", "lost", every=60))
        self.gallery = tuple(self._hang_gallery())
        self.failing = self.gallery[2::3]
        self.private = tuple(self._site_pages(Quirk.PRIVATE, _PRIVATE))
        self.orphans = tuple(self._site_pages(Quirk.SITEMAP, _ORPHANS))
        self._entrances()

    def _move(self) -> None:
        layout = self._layout
        for page in self._dice.sample(self._articles, max(2, len(self._articles) // 60)):
            old = f"{layout.sites[layout.site[page]].root}/old/{slug(layout.title[page])}-{page}"
            self.moved[page] = old
            self.redirects[old] = (layout.url[page], 301)

    def _chain_and_loop(self) -> None:
        layout = self._layout
        end = self._pick()
        chain = [f"{layout.sites[layout.site[self._pick()]].root}/go/{hop}" for hop in (1, 2, 3)]
        for hop, after in zip(chain, [*chain[1:], layout.url[end]], strict=True):
            self.redirects[hop] = (after, 302)
        self._add(self._pick(), OddLink(anchor="a page that has moved more than once", url=chain[0]))
        page = self._pick()
        root = layout.sites[layout.site[page]].root
        self.redirects[f"{root}/round/a"] = (f"{root}/round/b", 301)
        self.redirects[f"{root}/round/b"] = (f"{root}/round/a", 301)
        self._add(page, OddLink(anchor="round and round", url=f"{root}/round/a"))

    def _break(self, anchor: str, folder: str, *, every: int) -> Iterator[str]:
        layout = self._layout
        for number in range(max(2, len(layout.url) // every)):
            there, here = self._pick(), self._pick()
            url = f"{layout.sites[layout.site[there]].root}/{folder}/{number + 1}"
            self._add(here, OddLink(anchor=f"{anchor} of {layout.sites[layout.site[there]].title}", url=url))
            yield url

    def _hang_gallery(self) -> Iterator[str]:
        for site in self._having(Quirk.FAILING):
            for number in range(1, 9):
                url = f"{site.root}/gallery/{number}"
                articles = self._layout.site_pages[site.number].articles
                self._add(self._dice.choice(articles), OddLink(anchor=f"gallery {number}", url=url))
                yield url

    def _site_pages(self, quirk: Quirk, paths: tuple[str, ...]) -> Iterator[str]:
        for site in self._having(quirk):
            for path in paths:
                yield site.root + path
                if quirk is Quirk.PRIVATE:
                    about = self._layout.site_pages[site.number].notices[0]
                    self._add(about, OddLink(anchor="for members", url=site.root + path))

    def _entrances(self) -> None:
        for site in self._having(Quirk.CALENDAR):
            home = self._layout.site_pages[site.number].home
            self._add(home, OddLink(anchor="calendar", url=site.root + CALENDAR))
        for site in self._having(Quirk.SESSIONS):
            home = self._layout.site_pages[site.number].home
            self._add(home, OddLink(anchor="shop", url=site.root + SHOP))
        for site in self._having(Quirk.LARGE):
            about = self._layout.site_pages[site.number].notices[0]
            self._add(about, OddLink(anchor="the complete register", url=site.root + "/register"))
            self._add(about, OddLink(anchor="our emblem", url=site.root + IMAGE))
            self._add(about, OddLink(anchor="log in", url=site.root + "/login?next=%2F", rel="nofollow"))

    def _having(self, quirk: Quirk) -> list[Site]:
        return [site for site in self._layout.sites if quirk in site.quirks]

    def _pick(self) -> int:
        return self._dice.choice(self._articles)

    def _add(self, page: int, link: OddLink) -> None:
        self.odd.setdefault(page, []).append(link)
