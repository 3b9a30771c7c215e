"""How a page writes its links: absolute, root-relative, relative, or with a base, by its site."""

from __future__ import annotations

from urllib.parse import urlsplit

from homing.demo.web.layout import Layout
from homing.demo.web.sites import Site
from homing.demo.web.wear import IMAGE, Wear

# Some links are written in an unusual but valid way. Primes, so that the cases mix.
_EVERY_FRAGMENT, _EVERY_SHOUT, _EVERY_PORT = 37, 53, 59


class Hrefs:
    """Writes the links of one page."""

    def __init__(self, layout: Layout, wear: Wear, site: Site, url: str) -> None:
        self._layout = layout
        self._wear = wear
        self._site = site
        self._salt = salt_of(url)
        self._start = ""
        match site.linking:
            case "absolute":
                self._start = site.root + "/"
            case "root":
                self._start = "/"
            case "relative":
                self._start = "../" * (urlsplit(url).path.count("/") - 1) or "./"
            case "base":
                self._start = "./"

    def link(self, page: int, words: str = "") -> str:
        """Return a link to a page, with the page's title unless other words are given."""
        return f'<a href="{self.to(page)}">{words or self._layout.title[page]}</a>'

    def to(self, page: int) -> str:
        """Return a planned page's address as this page writes it; perhaps the old one, if it has moved."""
        salt = self._salt + page
        href = self.of(address(self._layout, self._wear, self._salt, page))
        if salt % _EVERY_FRAGMENT == 0:
            return href + "#content"
        if href.startswith("http:"):
            host = self._layout.sites[self._layout.site[page]].host
            if salt % _EVERY_SHOUT == 0:
                return href.replace(host, host.upper(), 1)
            if salt % _EVERY_PORT == 0:
                return href.replace(host, host + ":80", 1)
        return href

    def of(self, url: str) -> str:
        """Return any address as this page writes it."""
        inside = self._site.root + "/"
        if url.startswith(inside):
            url = self._start + url[len(inside) :]
        return url.replace("&", "&amp;")

    def image(self) -> str:
        return self.of(self._site.root + IMAGE)


def salt_of(url: str) -> int:
    """Return a number for an address that is the same in every run, unlike ``hash``."""
    return sum(url.encode())


def address(layout: Layout, wear: Wear, salt: int, page: int) -> str:
    """Return the address by which a page with this salt knows another: half of them know only the old one."""
    old = wear.moved.get(page)
    return old if old and (salt + page) % 2 else layout.url[page]
