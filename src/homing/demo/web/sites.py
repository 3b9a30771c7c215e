"""The sites of the little web: their names, topics, sizes and quirks.

Sites on the topic (``SPECIALIST``) are not in the directory where the crawl begins. The way to them leads
through sites on neighbouring topics (``NEAR``) and through magazines that write about everything
(``GENERAL``), as it does on the real web.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import cycle, islice
from random import Random
from typing import Literal, get_args

from homing.demo.web.vocabulary import everyday, vocabulary


class Role(Enum):
    """The role of a site in the search for the topic."""

    PORTAL = auto()
    """The directory where the crawl begins."""
    SPECIALIST = auto()
    NEAR = auto()
    GENERAL = auto()
    OTHER = auto()


class Quirk(Enum):
    """A peculiarity of a site that a crawler has to handle."""

    NO_ROBOTS = auto()
    CRAWL_DELAY = auto()
    PRIVATE = auto()
    SITEMAP = auto()
    SITEMAP_INDEX = auto()
    FAILING = auto()
    CALENDAR = auto()
    SESSIONS = auto()
    LATIN_1 = auto()
    WINDOWS_1252 = auto()
    BYTE_ORDER_MARK = auto()
    RSS = auto()
    ATOM = auto()
    LARGE = auto()


Addressing = Literal["folders", "html", "dated", "numbered", "query"]
"""How a site forms the addresses of its pages."""

Linking = Literal["root", "absolute", "relative", "base"]
"""How a site writes links to its own pages."""

# Quirk, preferred role of its sites, number of sites.
_QUIRKS: tuple[tuple[Quirk, Role, int], ...] = (
    (Quirk.CRAWL_DELAY, Role.OTHER, 1),
    (Quirk.NO_ROBOTS, Role.OTHER, 1),
    (Quirk.PRIVATE, Role.OTHER, 2),
    (Quirk.PRIVATE, Role.GENERAL, 2),
    (Quirk.SITEMAP, Role.GENERAL, 1),
    (Quirk.SITEMAP_INDEX, Role.OTHER, 1),
    (Quirk.FAILING, Role.OTHER, 1),
    (Quirk.CALENDAR, Role.GENERAL, 1),
    (Quirk.SESSIONS, Role.OTHER, 1),
    (Quirk.LATIN_1, Role.OTHER, 2),
    (Quirk.WINDOWS_1252, Role.NEAR, 1),
    (Quirk.BYTE_ORDER_MARK, Role.GENERAL, 1),
    (Quirk.RSS, Role.GENERAL, 1),
    (Quirk.ATOM, Role.NEAR, 1),
    (Quirk.LARGE, Role.GENERAL, 1),
)
_CHARSETS = frozenset({Quirk.LATIN_1, Quirk.WINDOWS_1252, Quirk.BYTE_ORDER_MARK})
_IN_ROBOTS = frozenset({Quirk.PRIVATE, Quirk.SITEMAP, Quirk.SITEMAP_INDEX})
_SMALLEST = 10
_SLOW = 7
"""Pages of the site with a Crawl-delay of a second: more would slow down every crawl."""
_FEWEST = 6
"""Minimum hosts: one of each role, and one more that the directory does not list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A planned site, without its pages."""

    number: int
    host: str
    title: str
    role: Role
    topic: str
    """Empty for the portal and for magazines."""
    size: int
    addressing: Addressing
    linking: Linking
    plain: bool
    """Whether it is built of ``div``, as older sites are, rather than ``main``, ``nav``, ``article``."""
    listed: bool
    """Whether the directory lists it."""
    quirks: frozenset[Quirk] = frozenset()

    @property
    def root(self) -> str:
        return f"http://{self.host}"


def plan_sites(dice: Random, topics: Sequence[str], *, pages: int, hosts: int) -> tuple[Site, ...]:
    """Plan the sites. The first topic is the one to look for, the first site is the portal."""
    roles = _roles(topics, hosts)
    names = {topic: iter(vocabulary(topic).hosts) for topic in topics}
    names[""] = iter(everyday().general_hosts)
    spare = _spare_names(dice)
    known: Counter[str] = Counter()
    sites = []
    for number, (role, topic) in enumerate(roles):
        known[topic] += 1
        # The directory lists every magazine, but only every third of the other sites.
        listed = role is Role.GENERAL or (role in (Role.NEAR, Role.OTHER) and known[topic] % 3 == 1)
        portal = role is Role.PORTAL
        name = everyday().portal_host if portal else next(names[topic], None) or next(spare)
        sites.append(
            Site(
                number=number,
                host=f"{name}.example",
                title=everyday().portal_title if portal else _title(name),
                role=role,
                topic=topic,
                size=0,
                addressing="folders" if portal else dice.choice(get_args(Addressing)),
                linking=dice.choice(get_args(Linking)),
                plain=dice.random() < 0.4,
                listed=listed,
            )
        )
    _assign_quirks(dice, sites)
    _assign_sizes(dice, sites, pages, shelves=len({vocabulary(topic).group for topic in topics}) + 1)
    return tuple(sites)


def _roles(topics: Sequence[str], hosts: int) -> list[tuple[Role, str]]:
    """Return role and topic of each site: of 40, a portal, 3 specialists, 6 near the topic, 8 magazines."""
    if hosts < _FEWEST or len(topics) < 2:
        raise ValueError(f"a little web needs at least {_FEWEST} hosts and 2 topics")
    target, *others = topics
    near = [topic for topic in vocabulary(target).near if topic in others] or others[:1]
    far = [topic for topic in others if topic not in near] or near
    specialists, neighbours, general = (max(1, round(hosts * share)) for share in (0.075, 0.15, 0.2))
    roles = [(Role.PORTAL, "")]
    roles += [(Role.SPECIALIST, target)] * specialists
    roles += [(Role.NEAR, topic) for topic in islice(cycle(near), neighbours)]
    roles += [(Role.GENERAL, "")] * general
    roles += [(Role.OTHER, topic) for topic in islice(cycle(far), hosts - len(roles))]
    return roles


def _spare_names(dice: Random) -> Iterator[str]:
    """Yield more site names, for webs larger than the vocabularies have names for."""
    names = [f"{first}-{second}" for first in everyday().first_words for second in everyday().second_words]
    dice.shuffle(names)
    yield from names
    for number in range(2, 1_000_000):
        yield from (f"{name}-{number}" for name in names)


def _title(name: str) -> str:
    words = name.split("-")
    return " ".join(word if word in {"and", "of", "on"} else word.capitalize() for word in words)


def _assign_quirks(dice: Random, sites: list[Site]) -> None:
    for quirk, role, count in _QUIRKS:
        free = [site for site in sites[1:] if _suits(quirk, site)]
        wanted = [site for site in free if site.role is role] or free
        for site in dice.sample(wanted, min(count, len(wanted))):
            sites[site.number] = replace(site, quirks=site.quirks | {quirk})


def _suits(quirk: Quirk, site: Site) -> bool:
    if quirk is Quirk.CRAWL_DELAY:
        # So small a site has no links page: no other site may depend on it.
        return not site.listed and site.role is Role.OTHER
    clashes = {quirk, Quirk.CRAWL_DELAY}
    if quirk in _CHARSETS:
        clashes |= _CHARSETS
    if quirk in _IN_ROBOTS:
        clashes |= {Quirk.NO_ROBOTS}
    return not site.quirks & clashes


def _assign_sizes(dice: Random, sites: list[Site], pages: int, shelves: int) -> None:
    """Vary the sizes of sites, of specialists only a little: the depth of their pages depends on it."""
    fixed = {0: 3 + shelves}
    weights = {}
    for site in sites[1:]:
        if Quirk.CRAWL_DELAY in site.quirks:
            fixed[site.number] = _SLOW
        else:
            weights[site.number] = 1.0 if site.role is Role.SPECIALIST else dice.uniform(0.5, 1.5)
    left = pages - sum(fixed.values()) - _SMALLEST * len(weights)
    if left < 0:
        raise ValueError(f"{pages} pages are too few for {len(sites)} hosts: a host has {_SMALLEST} or more")
    total = sum(weights.values())
    sizes = {number: _SMALLEST + int(left * weight / total) for number, weight in weights.items()}
    rest = pages - sum(fixed.values()) - sum(sizes.values())
    for number in list(sizes)[:rest]:
        sizes[number] += 1
    for number, size in (fixed | sizes).items():
        sites[number] = replace(sites[number], size=size)
