"""Read an HTML page: title, text, language, headings, links and robots directives."""

from __future__ import annotations

from resiliparse.parse.lang import detect_fast  # type: ignore[import-untyped]

from homing.model import Page
from homing.parse import fingerprint
from homing.parse.charset import decode
from homing.parse.directives import directives
from homing.parse.links import links_of
from homing.parse.tree import outline
from homing.urls import canonical

MAX_TEXT = 500_000
"""Characters of text kept of one page: a long novel."""

_MAX_TITLE = 500
_MAX_META = 2_000
_LANGUAGE_SAMPLE = 1_500
_LONG_ENOUGH = 20
"""Minimum characters for detecting a language."""


def read_html(url: str, body: bytes, *, content_type: str = "", product: str = "homing") -> Page:
    """Return the page in a body of HTML, valid or not.

    >>> page = read_html("http://a.org/", b"<title>Moths</title><meta name=homing content=none><p>Hawk moths")
    >>> page.title, page.text, page.noindex, page.nofollow
    ('Moths', 'Hawk moths', True, True)
    """
    found = outline(decode(body, content_type).replace("\x00", ""))
    text = found.main_text()[:MAX_TEXT]
    metas = dict(reversed(found.metas))  # the first of a name holds
    robots = directives(found.metas, product)
    links = links_of(found, url)
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
        fingerprint=fingerprint.of_page(url, text, (link.anchor for link in links)),
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
