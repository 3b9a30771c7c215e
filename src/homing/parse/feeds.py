"""Read RSS (0.9x, 1.0, 2.0) and Atom: each item becomes a link with its title and summary as context."""

from __future__ import annotations

from homing.model import Link, Page
from homing.parse.fingerprint import fingerprint
from homing.parse.outline import MAX_TEXT
from homing.parse.tree import outline
from homing.parse.xml import read_xml
from homing.urls import canonical, words_of

MAX_ITEMS = 5_000

_ITEMS = frozenset({"item", "entry"})
_HOLDERS = frozenset({"channel", "feed"})
_SUMMARIES = frozenset({"description", "summary", "subtitle", "encoded", "content"})
_OTHER_VOCABULARIES = frozenset({"media", "itunes", "dc", "image", "georss"})
"""Prefixes of other vocabularies, whose titles and descriptions are of pictures and people."""
_MAX_MARKUP = 20_000
_MAX_BLOCK = 2_000
_WINDOW = 20


def read_feed(body: bytes, content_type: str, url: str) -> Page:
    """Return the page in a feed, up to its first error; its language is the one that it declares.

    >>> item = b"<item><title>Hawks</title><link>/h</link></item>"
    >>> rss = b"<rss><channel><title>Moths</title>" + item + b"</channel></rss>"
    >>> feed = read_feed(rss, "", "http://a.org/feed")
    >>> feed.title, feed.links[0].url, feed.links[0].anchor
    ('Moths', 'http://a.org/h', 'Hawks')
    """
    reader = _FeedReader(url)
    read_xml(body, content_type, reader)
    links = tuple(reader.links.values())
    text = "\n".join([reader.description, *(link.block for link in links)]).strip()[:MAX_TEXT]
    return Page(
        url=url,
        title=reader.title,
        description=reader.description,
        text=text,
        links=links,
        language=reader.language,
        fingerprint=fingerprint(text),
    )


class _FeedReader:
    """Receives elements and keeps those of the feed and of its current item."""

    def __init__(self, base: str) -> None:
        self.title = self.description = self.language = ""
        self.links: dict[str, Link] = {}
        self.full = False
        self._base = base
        self._open: list[tuple[str, str]] = []
        self._item: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str], prefix: str) -> None:
        holder = self._holder()
        self._open.append((name, prefix))
        if not self.language:
            self.language = attributes.get("xml:lang", "")
        if name in _ITEMS:
            self._item = {}
        elif name == "link" and holder in _ITEMS and _is_page(attributes):
            self._item.setdefault("link", attributes["href"])

    def end(self, name: str, text: str) -> None:
        _, prefix = self._open.pop()
        if name in _ITEMS:
            self._finish_item()
        elif prefix in _OTHER_VOCABULARIES and name != "language":
            return
        elif self._holder() in _ITEMS:
            known = "summary" if name in _SUMMARIES else name
            if known in {"title", "link", "guid", "summary"} and text:
                self._item.setdefault(known, text)
        elif self._holder() in _HOLDERS:
            self._describe_feed(name, text)

    def _describe_feed(self, name: str, text: str) -> None:
        if name == "title":
            self.title = self.title or plain_text(text)
        elif name in _SUMMARIES:
            self.description = self.description or plain_text(text)
        elif name == "language":
            self.language = text

    def _holder(self) -> str:
        return self._open[-1][0] if self._open else ""

    def _finish_item(self) -> None:
        item, self._item = self._item, {}
        # Within CDATA an ampersand has been taken for a broken one, and some feeds escape twice.
        target = (item.get("link") or _address(item.get("guid", ""))).replace("&amp;", "&")
        url = canonical(target, self._base) if target else None
        if url is None or url in self.links:
            return
        title = plain_text(item.get("title", "")) or words_of(url)
        block = f"{title} {plain_text(item.get('summary', ''))}".strip()[:_MAX_BLOCK]
        around = " ".join(block.split(None, _WINDOW)[:_WINDOW])
        self.links[url] = Link(
            url=url,
            anchor=title,
            around=around,
            block=block,
            headings=(self.title,) if self.title else (),
            place=len(self.links),
        )
        self.full = len(self.links) >= MAX_ITEMS


def _is_page(attributes: dict[str, str]) -> bool:
    """Return whether a link of Atom leads to the item itself, rather than to its comments or its source."""
    return bool(attributes.get("href")) and attributes.get("rel", "alternate") == "alternate"


def _address(guid: str) -> str:
    """Return a guid that is a URL, whatever ``isPermaLink`` says: feeds without links use it as one."""
    return guid if guid.startswith(("http://", "https://")) else ""


def plain_text(html: str) -> str:
    """Return the text of a fragment of HTML on one line.

    >>> plain_text("Moths &amp; <b>butter</b>flies<p>of Europe")
    'Moths & butterflies of Europe'
    """
    html = html[:_MAX_MARKUP]
    return " ".join((outline(html).text if "<" in html or "&" in html else html).split())
