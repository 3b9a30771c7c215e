"""Read a reply of any media type into a page."""

from __future__ import annotations

from msgspec.structs import replace

from homing.model import Kind, Link, Page, Reply
from homing.parse.charset import decode
from homing.parse.directives import header_directives
from homing.parse.feeds import read_feed
from homing.parse.fingerprint import fingerprint
from homing.parse.gzip import unpacked
from homing.parse.html import MAX_TEXT, language_of, read_html
from homing.parse.media import Media, media_of
from homing.parse.pdf import read_pdf
from homing.parse.sitemaps import read_sitemap, read_url_list
from homing.urls import canonical, words_of

_MAX_TITLE = 200


class PageParser:
    """Reads replies by what they hold: HTML, feeds, sitemaps, PDF, plain text.

    A reply of any other type becomes a page without text or links, known by its digest. No body makes it
    raise: what cannot be read is left out. It keeps nothing between replies and can be sent to another
    process.

    Parameters
    ----------
    product
        The name by which pages address us in ``<meta name=...>`` and ``X-Robots-Tag``.

    Examples
    --------
    >>> here = "http://a.org/"
    >>> reply = Reply(url=here, final_url=here, status=200, body=b"<title>Moths</title>")
    >>> PageParser().read(reply).title
    'Moths'
    """

    def __init__(self, *, product: str = "homing") -> None:
        self.product = product

    def read(self, reply: Reply, kind: Kind = "page") -> Page:
        content_type = reply.header("content-type")
        page = self._sitemap(reply, content_type) if kind == "sitemap" else self._page(reply, content_type)
        directives = header_directives(
            (value for name, value in reply.headers if name.lower() == "x-robots-tag"), self.product
        )
        return replace(
            page,
            digest=reply.digest,
            noindex=page.noindex or "noindex" in directives,
            nofollow=page.nofollow or "nofollow" in directives,
        )

    def _page(self, reply: Reply, content_type: str) -> Page:
        url, body = reply.final_url, reply.body
        match media_of(content_type, body):
            case Media.HTML:
                return read_html(url, body, content_type=content_type, product=self.product)
            case Media.FEED:
                return _feed_page(url, body, content_type)
            case Media.SITEMAP:
                return Page(url=url, links=read_sitemap(body, content_type, url))
            case Media.PDF:
                return _pdf_page(url, body)
            case Media.TEXT:
                return _text_page(url, body, content_type)
            case Media.OTHER:
                return Page(url=url)

    def _sitemap(self, reply: Reply, content_type: str) -> Page:
        """Return a page of links alone. Sitemaps come under any Content-Type, so their first bytes decide."""
        url, body = reply.final_url, reply.body
        match media_of("", next(unpacked(body), b"")):
            case Media.FEED:
                return Page(url=url, links=read_feed(body, content_type, url).links)
            case Media.TEXT:
                return Page(url=url, links=read_url_list(body, content_type, url))
            case Media.SITEMAP | Media.HTML:
                return Page(url=url, links=read_sitemap(body, content_type, url))
            case _:
                return Page(url=url)


def _feed_page(url: str, body: bytes, content_type: str) -> Page:
    feed = read_feed(body, content_type, url)
    text = "\n".join([feed.description, *(link.block for link in feed.links)]).strip()[:MAX_TEXT]
    return Page(
        url=url,
        title=feed.title,
        description=feed.description,
        text=text,
        links=feed.links,
        language=language_of(feed.language, text),
        fingerprint=fingerprint(text),
    )


def _pdf_page(url: str, body: bytes) -> Page:
    document = read_pdf(body)
    targets = dict.fromkeys(filter(None, (canonical(target, url) for target in document.targets)))
    return Page(
        url=url,
        title=document.title,
        text=document.text,
        links=tuple(
            Link(url=target, anchor=words_of(target), around=words_of(target), place=place)
            for place, target in enumerate(targets)
            if target != url
        ),
        language=language_of("", document.text),
        fingerprint=fingerprint(document.text),
    )


def _text_page(url: str, body: bytes, content_type: str) -> Page:
    text = decode(body, content_type).replace("\x00", "").strip()[:MAX_TEXT]
    first_line = text.partition("\n")[0]
    return Page(
        url=url,
        title=" ".join(first_line.split())[:_MAX_TITLE],
        text=text,
        language=language_of("", text),
        fingerprint=fingerprint(text),
    )
