"""The pages of one site by kind: home, sections with their lists, articles, links, notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from homing.demo.web.sites import Role, Site

PER_LIST = {Role.GENERAL: 8, Role.SPECIALIST: 14, Role.NEAR: 14, Role.OTHER: 14}
"""Articles on one page of a section's list."""
_SMALL = 10
"""Smaller sites have one section, one notice and no links page."""


class Kind(IntEnum):
    """The kind of a page."""

    HOME = 0
    SHELF = 1
    """A page of the directory."""
    NOTICE = 2
    LINKS = 3
    """A list of links to other sites: a hub."""
    SECTION = 4
    """A page of a section's list of articles."""
    ARTICLE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a site: its list pages and its articles."""

    name: str
    topic: str
    lists: tuple[int, ...]
    articles: range


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePages:
    """The numbers of a site's pages by kind, in ascending order."""

    home: int
    shelves: range = range(0)
    notices: range = range(0)
    links: range = range(0)
    """At most one page."""
    sections: tuple[Section, ...] = ()
    articles: range = range(0)

    def kinds(self) -> Iterator[tuple[Kind, str]]:
        """Yield kind and topic of every page in order; home and links page have the site's topic."""
        yield Kind.HOME, ""
        yield from ((Kind.SHELF, "") for _ in self.shelves)
        yield from ((Kind.NOTICE, "") for _ in self.notices)
        yield from ((Kind.LINKS, "") for _ in self.links)
        yield from ((Kind.SECTION, section.topic) for section in self.sections for _ in section.lists)
        yield from ((Kind.ARTICLE, section.topic) for section in self.sections for _ in section.articles)


def section_count(site: Site) -> int:
    """Return the number of sections of a site."""
    if site.role is Role.PORTAL:
        return 0
    return 1 if site.size < _SMALL else max(2, min(4, site.size // 10))


def number_pages(site: Site, first: int, sections: Sequence[tuple[str, str]]) -> SitePages:
    """Number a site's pages by kind, from ``first``. ``sections``: name and topic of each."""
    after = first + 1

    def take(count: int) -> range:
        nonlocal after
        after += count
        return range(after - count, after)

    if site.role is Role.PORTAL:
        return SitePages(home=first, shelves=take(site.size - 3), notices=take(2))
    small = site.size < _SMALL
    notices = take(1 if small else 2)
    links = take(0 if small else 1)
    left = first + site.size - after
    count = len(sections)
    leaves = -(-left // (count * (PER_LIST[site.role] + 1)))
    lists = [take(leaves) for _ in sections]
    articles = take(left - count * leaves)
    cuts = [articles.start + len(articles) * place // count for place in range(count + 1)]
    return SitePages(
        home=first,
        notices=notices,
        links=links,
        sections=tuple(
            Section(
                name=name, topic=topic, lists=tuple(lists[place]), articles=range(*cuts[place : place + 2])
            )
            for place, (name, topic) in enumerate(sections)
        ),
        articles=articles,
    )
