"""All addresses outside the layout: files, redirects, dead and hidden pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from homing.demo.web import wellknown
from homing.demo.web.answers import WebPage, page, redirect, refusal
from homing.demo.web.layout import Layout
from homing.demo.web.page_frame import content_type
from homing.demo.web.page_html import simple_page
from homing.demo.web.prose import write_introduction
from homing.demo.web.sites import Quirk, Site
from homing.demo.web.wear import IMAGE, Wear

Answer = Callable[[], WebPage]

_REGISTER = 300_000
"""Bytes of the one large page: above the size from which the crawler parses in another process."""


def extras(layout: Layout, wear: Wear) -> dict[str, Answer]:
    """Return responses by address; each is created on request."""
    answers: dict[str, Answer] = {}
    for site in layout.sites:
        answers |= _files(layout, wear, site)
    for url, (location, status) in wear.redirects.items():
        answers[url] = partial(redirect, url, location, status)
    for url in wear.gone:
        answers[url] = partial(refusal, url, 410)
    hidden = dict.fromkeys(wear.private, "Minutes and members")
    hidden |= dict.fromkeys(wear.orphans, "From the archive")
    hidden |= dict.fromkeys(wear.gallery, "Gallery")
    for url, title in hidden.items():
        answers[url] = partial(_hidden, layout, wear, url, title)
    for url in wear.failing:
        answers[url] = partial(refusal, url, 500)
    return answers


def _files(layout: Layout, wear: Wear, site: Site) -> dict[str, Answer]:
    root, site_pages = site.root, layout.site_pages[site.number]
    own = [layout.url[number] for number in range(site_pages.home, site_pages.home + site.size)]
    orphans = [url for url in wear.orphans if url.startswith(root + "/")]
    news = [
        (layout.url[number], layout.title[number], layout.summary[number])
        for number in site_pages.articles[:12]
    ]
    middle = len(own) // 2
    files: dict[str, Answer] = {}

    def add(path: str, kind: str, body: Callable[[], bytes]) -> None:
        files[root + path] = lambda: page(root + path, body(), content_type=kind)

    add(IMAGE, "image/png", wellknown.leaf)
    if Quirk.NO_ROBOTS not in site.quirks:
        add("/robots.txt", "text/plain", lambda: wellknown.robots(site).encode())
    if Quirk.SITEMAP in site.quirks:
        add("/sitemap.xml", "application/xml", lambda: wellknown.sitemap(own + orphans))
    if Quirk.SITEMAP_INDEX in site.quirks:
        children = [f"{root}/sitemap-1.xml", f"{root}/sitemap-2.xml.gz"]
        add("/sitemap-index.xml", "application/xml", lambda: wellknown.sitemap_index(children))
        add("/sitemap-1.xml", "application/xml", lambda: wellknown.sitemap(own[:middle]))
        second = partial(wellknown.sitemap, own[middle:])
        add("/sitemap-2.xml.gz", "application/gzip", lambda: wellknown.gzipped(second()))
    if Quirk.RSS in site.quirks:
        add("/feed.xml", "application/rss+xml", lambda: wellknown.rss(site, news))
    if Quirk.ATOM in site.quirks:
        add("/atom.xml", "application/atom+xml", lambda: wellknown.atom(site, news))
    if Quirk.LARGE in site.quirks:
        add("/register", content_type(site), partial(_register, layout, wear, site))
        login = root + "/login?next=%2F"
        files[login] = partial(_login, layout, wear, login, site)
    return files


def _hidden(layout: Layout, wear: Wear, url: str, title: str) -> WebPage:
    site = next(site for site in layout.sites if url.startswith(site.root + "/"))
    text = f"{title}: kept by {site.title} for those who know where to look."
    return page(url, simple_page(layout, wear, url, site, title, text), content_type=content_type(site))


def _login(layout: Layout, wear: Wear, url: str, site: Site) -> WebPage:
    """Return a page with noindex in a header, not in the page."""
    body = simple_page(layout, wear, url, site, "Log in", "Members only. The key is under the mat.")
    extra = (("X-Robots-Tag", "noindex, nofollow"),)
    return page(url, body, content_type=content_type(site), extra=extra)


def _register(layout: Layout, wear: Wear, site: Site) -> bytes:
    """Return one very long page."""
    dice = layout.dice(layout.site_pages[site.number].home, 4)
    paragraphs = ""
    while len(paragraphs) < _REGISTER:
        paragraphs += write_introduction(dice.choice(layout.topics[1:]), 12, dice)
    return simple_page(layout, wear, site.root + "/register", site, "The complete register", paragraphs)
