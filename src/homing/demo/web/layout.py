"""Which pages the little web has: their addresses, titles and topics, as arrays.

Only the layout is computed in advance. Links (``link_plan``) and HTML (``page_html``) follow from it and the
seed, page by page on request, so that a web of 100,000 pages costs little before it is read.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from homing.demo.web.naming import Name, Names
from homing.demo.web.site_pages import Kind, Section, SitePages, number_pages, section_count
from homing.demo.web.sites import Role, Site, plan_sites
from homing.demo.web.vocabulary import Focus, vocabulary

PORTAL = 0
"""The number of the portal's home page, where every crawl begins."""
GENERAL_SHELF = "Papers and magazines"
_SERIES = 0.15
_LONGEST_SERIES = 3

# Shares of the pages on the topic by the role of the site.
_TARGET_SHARES = {Role.SPECIALIST: 0.5, Role.NEAR: 0.18, Role.GENERAL: 0.22, Role.OTHER: 0.10}
# Shares of the other articles with one paragraph on the topic.
_BRIDGES = {Role.SPECIALIST: 0.6, Role.NEAR: 0.2, Role.GENERAL: 0.07, Role.OTHER: 0.02}


class Layout:
    """All pages as parallel lists indexed by page number; sites as ``sites`` and ``site_pages``."""

    def __init__(self, *, seed: int, topics: Sequence[str], pages: int, hosts: int, share: float) -> None:
        dice = _random(seed)
        self.seed = seed
        self.topics = tuple(topics)
        self.target = self.topics[0]
        self.shelves = (*dict.fromkeys(vocabulary(topic).group for topic in topics), GENERAL_SHELF)
        self.sites: tuple[Site, ...] = plan_sites(dice, self.topics, pages=pages, hosts=hosts)
        self.site_pages: list[SitePages] = []
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
        """The next part of a series, by page."""
        self.mentions: set[int] = set()
        """Pages that mention the topic but are about something else."""
        self.nofollow: set[int] = set()
        self.noindex: set[int] = set()

        for site in self.sites:
            self._build(site, dice)
        self.targets = self._choose_targets(dice, round(pages * share))
        self._assign_topics(dice)
        self._link_series(dice)
        self.later_parts = frozenset(self.following.values())
        self._name(dice)
        self._exclude(dice)
        self.number = {url: number for number, url in enumerate(self.url)}
        self.articles: dict[str, list[int]] = {topic: [] for topic in self.topics}
        """Articles by topic, the best known first."""
        for page, kind in enumerate(self.kind):
            if kind == Kind.ARTICLE:
                self.articles[self.topic[page]].append(page)
        for articles in self.articles.values():
            dice.shuffle(articles)

    def dice(self, page: int, purpose: int) -> Random:
        """Return a random generator for one page and purpose, independent of the order of calls."""
        return _random((self.seed * 1_000_003 + page) * 8 + purpose)

    def sites_of(self, role: Role) -> list[Site]:
        return [site for site in self.sites if site.role is role]

    def section_of(self, page: int) -> Section | None:
        for section in self.site_pages[self.site[page]].sections:
            if page in section.lists or section.articles[0] <= page <= section.articles[-1]:
                return section
        return None

    # -- in order of building

    def _build(self, site: Site, dice: Random) -> None:
        site_pages = number_pages(site, len(self.kind), self._sections(site, dice))
        self.site_pages.append(site_pages)
        for kind, topic in site_pages.kinds():
            self.kind.append(kind)
            self.site.append(site.number)
            self.topic.append(topic if kind in (Kind.SECTION, Kind.ARTICLE) else site.topic)

    def _sections(self, site: Site, dice: Random) -> list[tuple[str, str]]:
        """Return name and topic of a site's sections; those of a magazine have different topics."""
        count = section_count(site)
        if site.topic:
            return [(name, site.topic) for name in vocabulary(site.topic).sections[:count]]
        others = self.topics[1:]
        return [(topic.capitalize(), topic) for topic in dice.sample(others, min(count, len(others)))]

    def _choose_targets(self, dice: Random, wanted: int) -> list[int]:
        """Pick the articles on the topic: half of them on its own sites, the others spread out."""
        targets: list[int] = []
        owed = 0.0
        for role, share in _TARGET_SHARES.items():
            owed += wanted * share
            sites = self.sites_of(role)
            # Sites that the directory leaves out lie deeper.
            sites = [site for site in sites if not site.listed] or sites
            slots = [page for site in sites for page in self.site_pages[site.number].articles]
            most = len(slots) * 4 // 5
            targets += dice.sample(slots, min(round(owed) - len(targets), most))
        return sorted(targets)

    def _assign_topics(self, dice: Random) -> None:
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

    def _link_series(self, dice: Random) -> None:
        """Give some articles a second and a third part, which no list names."""
        for site_pages in self.site_pages:
            # Sites that the directory does not list lie deep enough without.
            sections = site_pages.sections if self.sites[self.site[site_pages.home]].listed else ()
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
        for site, site_pages in zip(self.sites, self.site_pages, strict=True):
            names = Names(site, dice)
            self._put(names.home())
            if site.role is Role.PORTAL:
                for shelf in self.shelves:
                    self._put(names.shelf(shelf))
            for place in range(len(site_pages.notices)):
                self._put(names.notice(place))
            for _ in site_pages.links:
                self._put(names.links())
            for place, section in enumerate(site_pages.sections):
                for leaf in range(len(section.lists)):
                    self._put(names.section(section.name, place, leaf + 1))
            for section in site_pages.sections:
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

    def _exclude(self, dice: Random) -> None:
        """Mark some pages noindex, and some nofollow; no target becomes unreachable by it."""
        chosen = set(self.targets)
        free = [
            page
            for page, kind in enumerate(self.kind)
            if kind == Kind.ARTICLE and page not in chosen and page not in self.following
        ]
        self.noindex = set(dice.sample(free, max(1, len(free) // 100)))
        self.nofollow = set(dice.sample(free, max(1, len(free) // 150)))


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311  # test data, not a secret
