"""Which page links to which, computed page by page from the layout and the seed.

By construction pages on the topic are at least three hops from the portal: it links to shelves and homes
only, and neither they nor the homes of sites in the directory link to such a page. At the default size
none is further than seven: portal, shelf, home of a near site, its section, its links page, home of a
specialist, its section, article.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from homing.demo.web.layout import GENERAL_SHELF, PORTAL, Layout
from homing.demo.web.site_pages import Kind
from homing.demo.web.sites import Role, Site
from homing.demo.web.vocabulary import vocabulary

FEATURED = 3
"""Magazines that the portal names on its home page."""
SKEW = 3.5
"""Skew of the links towards well-known pages; 1 is none."""
_LINKS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkList:
    """Links under a heading."""

    heading: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlinks:
    """The links of a page by their place; navigation bar and footer belong to the site."""

    lists: tuple[LinkList, ...] = ()
    prose: tuple[int, ...] = ()
    """Links in paragraphs on the page's own topic."""
    aside: tuple[int, ...] = ()
    """Links in the paragraph on its second topic."""
    related: tuple[int, ...] = ()
    onward: tuple[int, ...] = ()
    """Previous and next page of a list, next part of a series."""

    def pages(self) -> tuple[int, ...]:
        listed = (page for links in self.lists for page in links.pages)
        return (*listed, *self.prose, *self.aside, *self.related, *self.onward)


def navigation(layout: Layout, page: int) -> tuple[int, ...]:
    """Return the navigation bar: home and sections; only home on sites that the directory leaves out."""
    site = layout.sites[layout.site[page]]
    site_pages = layout.site_pages[site.number]
    return (site_pages.home, *(section.lists[0] for section in site_pages.sections if site.listed))


def crumbs(layout: Layout, page: int) -> tuple[int, ...]:
    """Return the breadcrumbs of a page: home, section."""
    section = layout.section_of(page)
    home = layout.site_pages[layout.site[page]].home
    return (home, section.lists[0]) if section else (home,)


def footer(layout: Layout, page: int) -> tuple[int, ...]:
    """Return the footer of a site's pages: about, privacy."""
    return tuple(layout.site_pages[layout.site[page]].notices)


def outlinks(layout: Layout, page: int) -> Outlinks:
    """Return the links of a page without navigation bar and footer."""
    dice = layout.dice(page, _LINKS)
    site = layout.sites[layout.site[page]]
    match Kind(layout.kind[page]):
        case Kind.HOME:
            return _portal(layout) if site.role is Role.PORTAL else _home(layout, site, dice)
        case Kind.SHELF:
            return _shelf(layout, page)
        case Kind.SECTION:
            return _section(layout, page)
        case Kind.LINKS:
            return _hub(layout, site, dice)
        case Kind.ARTICLE:
            return _article(layout, page, dice)
        case Kind.NOTICE:
            return Outlinks(onward=tuple(layout.site_pages[site.number].links))


def _portal(layout: Layout) -> Outlinks:
    featured = tuple(layout.site_pages[site.number].home for site in layout.sites_of(Role.GENERAL)[:FEATURED])
    return Outlinks(
        lists=(
            LinkList(heading="New in the directory", pages=featured),
            LinkList(heading="Shelves", pages=tuple(layout.site_pages[layout.site[PORTAL]].shelves)),
        )
    )


def _shelf(layout: Layout, page: int) -> Outlinks:
    name = layout.title[page]
    by_topic: dict[str, list[int]] = {}
    for site in layout.sites:
        if not site.listed:
            continue
        if site.role in (Role.NEAR, Role.OTHER) and vocabulary(site.topic).group == name:
            by_topic.setdefault(site.topic, []).append(layout.site_pages[site.number].home)
        elif site.role is Role.GENERAL and name == GENERAL_SHELF:
            by_topic.setdefault("of all sorts", []).append(layout.site_pages[site.number].home)
    return Outlinks(
        lists=tuple(
            LinkList(heading=topic.capitalize(), pages=tuple(homes)) for topic, homes in by_topic.items()
        )
    )


def _home(layout: Layout, site: Site, dice: Random) -> Outlinks:
    site_pages = layout.site_pages[site.number]
    shown: Sequence[int] = site_pages.articles
    if site.role is not Role.SPECIALIST:
        shown = [page for page in shown if layout.topic[page] != layout.target]
    latest = dice.sample(shown, min(6, len(shown)))
    sections = tuple(section.lists[0] for section in site_pages.sections)
    return Outlinks(
        lists=(LinkList(heading="Sections", pages=sections), LinkList(heading="Latest", pages=tuple(latest)))
    )


def _section(layout: Layout, page: int) -> Outlinks:
    section = layout.section_of(page)
    assert section is not None
    listed = [article for article in section.articles if article not in layout.later_parts]
    place, count = section.lists.index(page), len(section.lists)
    shown = listed[len(listed) * place // count : len(listed) * (place + 1) // count]
    onward = section.lists[max(0, place - 1) : place] + section.lists[place + 1 : place + 2]
    return Outlinks(
        lists=(LinkList(heading="", pages=tuple(shown)),),
        onward=(*onward, *layout.site_pages[layout.site[page]].links),
    )


def _hub(layout: Layout, site: Site, dice: Random) -> Outlinks:
    """Return links to other sites by topic. Topics and numbers depend on the role of the site."""
    target = layout.target
    others = layout.topics[1:]
    homes = _friends(layout, site)
    wanted: dict[str, int] = {}
    match site.role:
        case Role.SPECIALIST:
            wanted = {target: 12} | {topic: 4 for topic in vocabulary(target).near if topic in others}
        case Role.NEAR:
            wanted = {site.topic: 9, target: 3, dice.choice(others): 4}
        case Role.GENERAL:
            wanted = dict.fromkeys(dice.sample(others, min(4, len(others))), 5)
            if site.number % 2:
                wanted[target] = 3
        case _:
            wanted = {site.topic: 10, dice.choice(others): 4, dice.choice(others): 3}
    lists = []
    for topic, count in wanted.items():
        friends = tuple(home for home in homes if layout.topic[home] == topic)
        pages = friends + _elsewhere(layout, site, topic, count, dice)
        lists.append(LinkList(heading=topic.capitalize(), pages=pages))
    return Outlinks(lists=tuple(lists))


def _article(layout: Layout, page: int, dice: Random) -> Outlinks:
    site = layout.sites[layout.site[page]]
    topic, second = layout.topic[page], layout.second[page]
    section = layout.section_of(page)
    assert section is not None
    neighbours = [other for other in section.articles if other != page]
    related = dice.sample(neighbours, min(dice.randint(3, 6), len(neighbours)))
    prose: list[int] = []
    for _ in range(dice.randint(0, 2)):
        draw = dice.random()
        if draw < 0.7:
            towards = topic
        elif draw < 0.9:
            towards = dice.choice(
                [near for near in vocabulary(topic).near if near in layout.topics] or [topic]
            )
        else:
            towards = dice.choice(layout.topics[1:])
        prose += _elsewhere(layout, site, towards, 1, dice)
    aside = _elsewhere(layout, site, second, dice.randint(1, 2), dice) if second else ()
    onward = (layout.following[page],) if page in layout.following else ()
    return Outlinks(prose=tuple(prose), aside=aside, related=tuple(related), onward=onward)


def _elsewhere(layout: Layout, site: Site, topic: str, count: int, dice: Random) -> tuple[int, ...]:
    """Draw articles of other sites on a topic; a few are linked to often, most hardly ever."""
    articles = layout.articles[topic]
    drawn: dict[int, None] = {}
    for _ in range(4 * count if articles else 0):
        page = articles[int(len(articles) * dice.random() ** SKEW)]
        if layout.site[page] != site.number:
            drawn[page] = None
        if len(drawn) == count:
            break
    return tuple(drawn)


def _friends(layout: Layout, site: Site) -> tuple[int, ...]:
    """Return the homes that a site's links page names: specialists, and sites the directory does not list.

    They are distributed in turn among the sites in the directory, so that each is linked to.
    """
    if not site.listed:
        return ()
    homes: list[Site] = []
    if site.role is Role.NEAR:
        peers = [peer for peer in layout.sites_of(Role.NEAR) if peer.listed]
        homes += layout.sites_of(Role.SPECIALIST)[peers.index(site) :: len(peers)]
    peers = [peer for peer in layout.sites if peer.listed and peer.topic == site.topic]
    hidden = [peer for peer in layout.sites if not peer.listed and peer.topic == site.topic]
    homes += hidden[peers.index(site) :: len(peers)]
    return tuple(layout.site_pages[home.number].home for home in homes)
