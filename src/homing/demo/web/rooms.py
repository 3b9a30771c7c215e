"""The pages of one site by what they are for: home, sections with their lists, articles, links, notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from homing.demo.web.sites import Role, Site

PER_LIST = {Role.GENERAL: 8, Role.SPECIALIST: 14, Role.NEAR: 14, Role.OTHER: 14}
"""Articles on one page of a section's list."""
_SMALL = 10
"""Below this a site has one section, one notice and no links page."""


class Kind(IntEnum):
    """What a page is for."""

    HOME = 0
    SHELF = 1
    """A page of the directory."""
    NOTICE = 2
    LINKS = 3
    """A list of pages elsewhere: a hub."""
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
class Rooms:
    """The numbers of a site's pages by what they are for, in the order in which they are numbered."""

    home: int
    shelves: range = range(0)
    notices: range = range(0)
    links: range = range(0)
    """One page or none."""
    sections: tuple[Section, ...] = ()
    articles: range = range(0)

    def kinds(self) -> Iterator[tuple[Kind, str]]:
        """Kind and topic of every page in order; the topic of home and links page is the site's."""
        yield Kind.HOME, ""
        yield from ((Kind.SHELF, "") for _ in self.shelves)
        yield from ((Kind.NOTICE, "") for _ in self.notices)
        yield from ((Kind.LINKS, "") for _ in self.links)
        yield from ((Kind.SECTION, section.topic) for section in self.sections for _ in section.lists)
        yield from ((Kind.ARTICLE, section.topic) for section in self.sections for _ in section.articles)


def section_count(site: Site) -> int:
    """How many sections a site of this size has."""
    if site.role is Role.PORTAL:
        return 0
    return 1 if site.size < _SMALL else max(2, min(4, site.size // 10))


def furnish(site: Site, first: int, sections: Sequence[tuple[str, str]]) -> Rooms:
    """Divide a site's pages, numbered from ``first``, among rooms. ``sections``: name and topic of each."""
    after = first + 1

    def take(count: int) -> range:
        nonlocal after
        after += count
        return range(after - count, after)

    if site.role is Role.PORTAL:
        return Rooms(home=first, shelves=take(site.size - 3), notices=take(2))
    small = site.size < _SMALL
    notices = take(1 if small else 2)
    links = take(0 if small else 1)
    left = first + site.size - after
    count = len(sections)
    leaves = -(-left // (count * (PER_LIST[site.role] + 1)))
    lists = [take(leaves) for _ in sections]
    articles = take(left - count * leaves)
    cuts = [articles.start + len(articles) * place // count for place in range(count + 1)]
    return Rooms(
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
