"""The frame of a page: head, navigation bar, breadcrumbs, footer; and its encoding."""

from __future__ import annotations

from collections.abc import Sequence

from homing.demo.web.hrefs import Hrefs
from homing.demo.web.layout import Layout
from homing.demo.web.link_plan import crumbs, footer, navigation
from homing.demo.web.sites import Quirk, Site
from homing.demo.web.vocabulary import everyday

_STYLE = """<style>
body { max-width: 46rem; margin: 0 auto; padding: 0 1rem; font: 1.05rem/1.6 Georgia, serif; color: #223; }
nav ul, .bar ul { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none; }
h1, h2 { line-height: 1.25; font-weight: normal; }
a { color: #14527a; }
.byline, .crumbs, footer, .foot { color: #667; font-size: .85rem; }
</style>
"""


def document(
    layout: Layout,
    number: int,
    hrefs: Hrefs,
    *,
    title: str,
    summary: str,
    content: str,
    directives: Sequence[str] = (),
) -> bytes:
    """Return a whole page of the site of page ``number``. ``directives`` go into ``meta robots``."""
    site = layout.sites[layout.site[number]]
    home = layout.site_pages[site.number].home
    bar = "".join(f"<li>{hrefs.link(page)}</li>\n" for page in navigation(layout, number))
    trail = " › ".join(hrefs.link(page) for page in crumbs(layout, number))
    foot = " · ".join(hrefs.link(page) for page in footer(layout, number))
    small = everyday().footers[site.number % len(everyday().footers)].replace("{site}", site.title)
    if site.plain:
        body = (
            f'<div id="head"><div class="bar"><ul>\n{bar}</ul></div></div>\n'
            f'<div class="crumbs">{trail}</div>\n<div id="content">\n{content}</div>\n'
            f'<div class="foot"><p>{small}</p><p>{foot}</p></div>\n'
        )
    else:
        logo = f'<img src="{hrefs.image()}" width="24" height="24" alt="{site.title}">'
        body = (
            f'<header><a class="logo" href="{hrefs.to(home)}">{logo}</a>\n'
            f'<nav><ul>\n{bar}</ul></nav></header>\n<nav class="crumbs">{trail}</nav>\n'
            f'<main>\n<article id="content">\n{content}</article>\n</main>\n'
            f"<footer><p>{small}</p><p>{foot}</p></footer>\n"
        )
    head = _head(site, title, summary, directives)
    text = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}</head>\n<body>\n{body}</body>\n</html>\n'
    start = b"\xef\xbb\xbf" if Quirk.BYTE_ORDER_MARK in site.quirks else b""
    # Characters that the charset lacks become character references, as old editors write them.
    return start + text.encode(charset(site), "xmlcharrefreplace")


def charset(site: Site) -> str:
    """Return the encoding of the site's pages."""
    if Quirk.LATIN_1 in site.quirks:
        return "iso-8859-1"
    return "windows-1252" if Quirk.WINDOWS_1252 in site.quirks else "utf-8"


def content_type(site: Site) -> str:
    """Return the content type; on two sites without the charset, which is in the page itself."""
    if site.quirks & {Quirk.WINDOWS_1252, Quirk.BYTE_ORDER_MARK}:
        return "text/html"
    return f"text/html; charset={charset(site)}"


def _head(site: Site, title: str, summary: str, directives: Sequence[str]) -> str:
    lines = [
        f"<title>{title}</title>",
        f'<meta name="description" content="{summary}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ]
    if Quirk.BYTE_ORDER_MARK not in site.quirks:
        lines.insert(0, f'<meta charset="{charset(site)}">')
    if directives:
        lines.append(f'<meta name="robots" content="{", ".join(directives)}">')
    if site.linking == "base":
        lines.append(f'<base href="{site.root}/">')
    if Quirk.RSS in site.quirks:
        lines.append(f'<link rel="alternate" type="application/rss+xml" href="{site.root}/feed.xml">')
    if Quirk.ATOM in site.quirks:
        lines.append(f'<link rel="alternate" type="application/atom+xml" href="{site.root}/atom.xml">')
    return "\n".join(lines) + "\n" + _STYLE
