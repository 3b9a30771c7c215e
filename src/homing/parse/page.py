"""Read a reply into a page: HTML here, step by step; every other type by a module of its own."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from msgspec.structs import replace
from resiliparse.parse.lang import detect_fast  # type: ignore[import-untyped]

from homing.model import Kind, Page, Reply, digest_of
from homing.parse.charset import decode
from homing.parse.feeds import read_feed
from homing.parse.fingerprint import fingerprint, page_fingerprint
from homing.parse.gzip import unpacked
from homing.parse.links import links_of
from homing.parse.media import Media, media_of
from homing.parse.outline import MAX_TEXT
from homing.parse.pdf import read_pdf
from homing.parse.sitemaps import read_sitemap, read_url_list
from homing.parse.tree import outline
from homing.urls import canonical

_MAX_TITLE = 500
_MAX_FIRST_LINE = 200
"""The same for the title of plain text, its first line."""
_MAX_META = 2_000
_LANGUAGE_SAMPLE = 1_500
_LONG_ENOUGH = 20
"""Minimum characters for detecting a language."""

_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_BOTH = frozenset({"noindex", "nofollow"})


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
        media = media_of(content_type, reply.body)
        if media is Media.HTML and kind == "page":
            return read_html(reply, content_type, self.product)
        page = _sitemap(reply, content_type) if kind == "sitemap" else _other(reply, content_type, media)
        robots = directives((), reply.headers, self.product)
        return replace(
            page,
            language=language_of(page.language, page.text),
            digest=digest_of(reply.body),
            noindex="noindex" in robots,
            nofollow="nofollow" in robots,
        )


def read_html(reply: Reply, content_type: str, product: str) -> Page:
    """Return the page in a reply of HTML, valid or not."""
    url = reply.final_url
    found = outline(decode(reply.body, content_type).replace("\x00", ""))
    metas = dict(reversed(found.metas))  # the first of a name holds
    text = found.main_text()
    links = links_of(found, url)
    robots = directives(found.metas, reply.headers, product)
    return Page(
        url=url,
        title=(found.title or metas.get("og:title", ""))[:_MAX_TITLE],
        description=(metas.get("description") or metas.get("og:description", ""))[:_MAX_META],
        keywords=metas.get("keywords", "")[:_MAX_META],
        alts=" ".join(found.alts),
        text=text,
        headings=tuple(found.headings),
        links=links,
        language=language_of(found.language, text),
        digest=digest_of(reply.body),
        fingerprint=page_fingerprint(url, text, map(attrgetter("anchor"), links)),
        canonical=(canonical(found.canonical, url) or "") if found.canonical else "",
        noindex="noindex" in robots,
        nofollow="nofollow" in robots,
    )


def language_of(declared: str, text: str) -> str:
    """Return two letters of ISO 639-1: the declared language, else the one that the text looks like.

    >>> language_of("en-GB", ""), language_of("", "Der Falter fliegt in der Nacht zum Licht.")
    ('en', 'de')
    """
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    if len(code) == 2 and code.isascii() and code.isalpha():
        return code
    if len(text) < _LONG_ENOUGH:
        return ""
    code, _ = detect_fast(text[:_LANGUAGE_SAMPLE])
    return code if len(code) == 2 else ""


# -- robots directives -------------------------------------------------------------------------------


def directives(
    metas: Iterable[tuple[str, str]], headers: Iterable[tuple[str, str]], product: str
) -> frozenset[str]:
    """Return the directives of a page (noindex, nofollow) for a robot of that product token.

    Meta elements, given as (name, content), and ``X-Robots-Tag`` headers may address all robots or one.
    Directives for us add to those for all: the stricter one holds.

    >>> metas, headers = [("robots", "NOINDEX, noarchive")], [("X-Robots-Tag", "otherbot: nofollow")]
    >>> sorted(directives(metas, headers, "homing"))
    ['noarchive', 'noindex']
    """
    names = {"robots", product.lower()}
    words: list[str] = []
    for name, content in metas:
        if name in names:
            words += content.split(",")
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            words += _addressed_to(names, value)
    found = frozenset(map(str.strip, map(str.lower, words)))
    return found | _BOTH if "none" in found else found


def _addressed_to(names: set[str], value: str) -> list[str]:
    """Return the directives of a header, where a name before a colon says which robot is addressed."""
    words: list[str] = []
    ours = True
    for part in value.split(","):
        name, colon, rest = part.partition(":")
        name = name.strip().lower()
        if colon and name not in _WITH_VALUE:
            ours = name == "*" or name in names
            part = rest
        if ours:
            words.append(part)
    return words


# -- other types than HTML ---------------------------------------------------------------------------


def _other(reply: Reply, content_type: str, media: Media) -> Page:
    """Return a page with the language that it declares, if any."""
    url, body = reply.final_url, reply.body
    match media:
        case Media.FEED:
            return read_feed(body, content_type, url)
        case Media.SITEMAP:
            return Page(url=url, links=read_sitemap(body, content_type, url))
        case Media.PDF:
            return read_pdf(body, url)
        case Media.TEXT:
            text = decode(body, content_type).replace("\x00", "").strip()[:MAX_TEXT]
            title = " ".join(text.partition("\n")[0].split())[:_MAX_FIRST_LINE]
            return Page(url=url, title=title, text=text, fingerprint=fingerprint(text))
        case _:
            return Page(url=url)


def _sitemap(reply: Reply, content_type: str) -> Page:
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
