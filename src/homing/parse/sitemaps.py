"""Read sitemaps: lists of URLs that a site offers to crawlers, as XML or as plain text.

A sitemap says nothing about its pages but their URLs, sometimes a title. The words of the URL stand in for an
anchor: ``/butterfly-gardening-tips.html`` says as much as many a link.

https://www.sitemaps.org/protocol.html
"""

from __future__ import annotations

from homing.model import Link
from homing.parse.charset import decode
from homing.parse.gzip import unpacked
from homing.parse.xml import read_xml
from homing.urls import canonical, words_of

MAX_URLS = 50_000
"""Maximum URLs of one file, by the protocol."""

_TITLED = frozenset({"news", "video", "image"})
_MAX_TITLE = 300


def read_sitemap(body: bytes, content_type: str, base: str) -> tuple[Link, ...]:
    """Return the URLs in a sitemap or an index of sitemaps; those of the latter have ``rel="sitemap"``.

    >>> index = b"<sitemapindex><sitemap><loc>http://a.org/moths.xml</loc></sitemap></sitemapindex>"
    >>> [(link.url, link.anchor, link.rel) for link in read_sitemap(index, "", "http://a.org/")]
    [('http://a.org/moths.xml', 'moths', 'sitemap')]
    """
    reader = _SitemapReader(base)
    read_xml(body, content_type, reader)
    return tuple(reader.links.values())


def read_url_list(body: bytes, content_type: str, base: str) -> tuple[Link, ...]:
    """Return the URLs in a plain text file, one a line; other lines are skipped."""
    links: dict[str, Link] = {}
    for line in decode(b"".join(unpacked(body)), content_type).splitlines():
        if len(links) >= MAX_URLS:
            break
        line = line.strip()
        if line.lower().startswith(("http://", "https://")) and (url := canonical(line, base)):
            _add(links, url, "", "")
    return tuple(links.values())


class _SitemapReader:
    def __init__(self, base: str) -> None:
        self.links: dict[str, Link] = {}
        self.full = False
        self._base = base
        self._open: list[str] = []
        self._loc = ""
        self._title = ""

    def start(self, name: str, attributes: dict[str, str], prefix: str) -> None:
        self._open.append(name)
        if name in {"url", "sitemap"}:
            self._loc = self._title = ""

    def end(self, name: str, text: str) -> None:
        self._open.pop()
        around = self._open[-1] if self._open else ""
        if name == "loc" and around in {"url", "sitemap"}:
            self._loc = text
        elif name == "title" and around in _TITLED and not self._title:
            self._title = text
        elif name in {"url", "sitemap"}:
            # Some forget <loc> and write the address right into the entry.
            self._finish_entry(self._loc or text, "sitemap" if name == "sitemap" else "")

    def _finish_entry(self, target: str, rel: str) -> None:
        if target and (url := canonical(target, self._base)):
            _add(self.links, url, self._title, rel)
        self.full = len(self.links) >= MAX_URLS


def _add(links: dict[str, Link], url: str, title: str, rel: str) -> None:
    words = " ".join(title.split())[:_MAX_TITLE] or words_of(url)
    if url not in links and len(links) < MAX_URLS:
        links[url] = Link(url=url, anchor=words, around=words, block=words, rel=rel, place=len(links))
