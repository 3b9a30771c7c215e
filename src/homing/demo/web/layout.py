"""Which pages the little web has: their addresses, titles and topics, as arrays.

The layout is all that is made ahead. Links (``linking``) and bodies (``markup``) follow from it and the
seed, page by page, whenever they are asked for, so that a web of 100,000 pages costs little before it is
read.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from homing.demo.web.naming import Name, Names
from homing.demo.web.rooms import Kind, Rooms, Section, furnish, section_count
from homing.demo.web.sites import Role, Site, plan_sites
from homing.demo.web.vocabulary import Focus, vocabulary

PORTAL = 0
"""The number of the portal's home page, where every crawl begins."""
GENERAL_SHELF = "Papers and magazines"
_SERIES = 0.15
_LONGEST_SERIES = 3

# Where the pages on the topic are, by the role of the site.
_TARGET_SHARES = {Role.SPECIALIST: 0.5, Role.NEAR: 0.18, Role.GENERAL: 0.22, Role.OTHER: 0.10}
# How many of the other articles speak of the topic in one paragraph.
_BRIDGES = {Role.SPECIALIST: 0.6, Role.NEAR: 0.2, Role.GENERAL: 0.07, Role.OTHER: 0.02}


class Layout:
    """All pages as parallel lists, at place ``number``; sites as ``sites`` and ``rooms``."""

    def __init__(self, *, seed: int, topics: Sequence[str], pages: int, hosts: int, share: float) -> None:
        dice = _chance(seed)
        self.seed = seed
        self.topics = tuple(topics)
        self.target = self.topics[0]
        self.shelves = (*dict.fromkeys(vocabulary(topic).group for topic in topics), GENERAL_SHELF)
        self.sites: tuple[Site, ...] = plan_sites(dice, self.topics, pages=pages, hosts=hosts)
        self.rooms: list[Rooms] = []
        self.kind = bytearray()
        self.site = array("i")
        self.topic: list[str] = []
        self.second = [""] * pages
        """Another topic that a paragraph of the page is about."""
        self.url: list[str] = []
        self.title: list[str] = []
        self.summary: list[str] = []
        self.focus: list[Focus] = []
        self.following: dict[int, int] = {}
        """From a part of a series to the next."""
        self.mentions: set[int] = set()
        """Pages that name the topic in passing and are about something else."""
        self.nofollow: set[int] = set()
        self.noindex: set[int] = set()

        for site in self.sites:
            self._build(site, dice)
        self.targets = self._choose_targets(dice, round(pages * share))
        self._colour(dice)
        self._string_series(dice)
        self.later_parts = frozenset(self.following.values())
        self._name(dice)
        self._hide(dice)
        self.number = {url: number for number, url in enumerate(self.url)}
        self.articles: dict[str, list[int]] = {topic: [] for topic in self.topics}
        """By topic, the best known first."""
        for page, kind in enumerate(self.kind):
            if kind == Kind.ARTICLE:
                self.articles[self.topic[page]].append(page)
        for articles in self.articles.values():
            dice.shuffle(articles)

    def dice(self, page: int, purpose: int) -> Random:
        """Chance for one page and purpose: the same whenever it is asked for, and in whatever order."""
        return _chance((self.seed * 1_000_003 + page) * 8 + purpose)

    def sites_of(self, role: Role) -> list[Site]:
        return [site for site in self.sites if site.role is role]

    def section_of(self, page: int) -> Section | None:
        for section in self.rooms[self.site[page]].sections:
            if page in section.lists or section.articles[0] <= page <= section.articles[-1]:
                return section
        return None

    # -- in order of building

    def _build(self, site: Site, dice: Random) -> None:
        rooms = furnish(site, len(self.kind), self._sections(site, dice))
        self.rooms.append(rooms)
        for kind, topic in rooms.kinds():
            self.kind.append(kind)
            self.site.append(site.number)
            self.topic.append(topic if kind in (Kind.SECTION, Kind.ARTICLE) else site.topic)

    def _sections(self, site: Site, dice: Random) -> list[tuple[str, str]]:
        """Name and topic of a site's sections; those of a magazine have a topic each."""
        count = section_count(site)
        if site.topic:
            return [(name, site.topic) for name in vocabulary(site.topic).sections[:count]]
        others = self.topics[1:]
        return [(topic.capitalize(), topic) for topic in dice.sample(others, min(count, len(others)))]

    def _choose_targets(self, dice: Random, wanted: int) -> list[int]:
        """Pick the articles on the topic: half of them on its own sites, the others strewn about."""
        targets: list[int] = []
        owed = 0.0
        for role, share in _TARGET_SHARES.items():
            owed += wanted * share
            sites = self.sites_of(role)
            # What the directory leaves out lies deeper.
            sites = [site for site in sites if not site.listed] or sites
            slots = [page for site in sites for page in self.rooms[site.number].articles]
            most = len(slots) * 4 // 5
            targets += dice.sample(slots, min(round(owed) - len(targets), most))
        return sorted(targets)

    def _colour(self, dice: Random) -> None:
        """Give every article its topic, and some a second one."""
        chosen = set(self.targets)
        near = [topic for topic in vocabulary(self.target).near if topic in self.topics] or [self.topics[1]]
        for page, kind in enumerate(self.kind):
            if kind != Kind.ARTICLE:
                continue
            site = self.sites[self.site[page]]
            if page in chosen:
                self.topic[page] = self.target
                self.second[page] = dice.choice(near) if dice.random() < 0.3 else ""
                continue
            if site.role is Role.SPECIALIST:
                self.topic[page] = dice.choice(near)
            elif dice.random() < 0.08:
                self.topic[page] = dice.choice(self.topics[1:])
            draw = dice.random()
            if draw < _BRIDGES[site.role]:
                self.second[page] = self.target
            elif draw < _BRIDGES[site.role] + 0.05:
                self.mentions.add(page)
            elif draw < _BRIDGES[site.role] + 0.17:
                self.second[page] = dice.choice(self.topics[1:])

    def _string_series(self, dice: Random) -> None:
        """Some articles have a second and a third part, which no list names."""
        for rooms in self.rooms:
            # Sites that the directory does not list lie deep enough without.
            sections = rooms.sections if self.sites[self.site[rooms.home]].listed else ()
            for section in sections:
                part = 1
                for page, after in zip(section.articles, section.articles[1:], strict=False):
                    fits = self.topic[page] == self.topic[after] and page not in self.mentions
                    if part < _LONGEST_SERIES and fits and dice.random() < (_SERIES if part == 1 else 0.4):
                        self.following[page] = after
                        self.mentions.discard(after)
                        part += 1
                    else:
                        part = 1

    def _name(self, dice: Random) -> None:
        """Give every page its title, summary and address, site by site in the order of their numbers."""
        parts: dict[int, tuple[int, int]] = {}
        for page, after in self.following.items():
            head, part = parts.get(page, (page, 1))
            parts[after] = (head, part + 1)
        for site, rooms in zip(self.sites, self.rooms, strict=True):
            names = Names(site, dice)
            self._put(names.home())
            if site.role is Role.PORTAL:
                for shelf in self.shelves:
                    self._put(names.shelf(shelf))
            for place in range(len(rooms.notices)):
                self._put(names.notice(place))
            for _ in rooms.links:
                self._put(names.links())
            for place, section in enumerate(rooms.sections):
                for leaf in range(len(section.lists)):
                    self._put(names.section(section.name, place, leaf + 1))
            for section in rooms.sections:
                for page in section.articles:
                    if page in parts:
                        head, part = parts[page]
                        self._put(
                            names.part(
                                self.title[head], self.focus[head], self.topic[head], part, section.name
                            )
                        )
                    elif page in self.mentions:
                        self._put(names.mention(self.target, self.topic[page], section.name))
                    else:
                        self._put(names.article(self.topic[page], section.name))

    def _put(self, name: Name) -> None:
        self.url.append(name.url)
        self.title.append(name.title)
        self.summary.append(name.summary)
        self.focus.append(name.focus)

    def _hide(self, dice: Random) -> None:
        """Some pages ask to stay out of indexes, or that their links stay alone; no target is lost by it."""
        chosen = set(self.targets)
        free = [
            page
            for page, kind in enumerate(self.kind)
            if kind == Kind.ARTICLE and page not in chosen and page not in self.following
        ]
        self.noindex = set(dice.sample(free, max(1, len(free) // 100)))
        self.nofollow = set(dice.sample(free, max(1, len(free) // 150)))


def _chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311  # a world to look at, no secret
