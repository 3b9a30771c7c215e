"""A very small web, for docstring examples and the batteries.

The web is generated from a seed, without network or files. Six subjects have forty pages each, behind
a portal and three hubs. The home page links to every portal but that of the topic: butterflies are
found by way of gardens, or by one of the few links that lead anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from homing.judge import Brief
from homing.model import Link, Page

_SUBJECTS = {
    "butterflies": "butterfly butterflies caterpillar chrysalis wings nectar milkweed monarch pupa moth",
    "gardens": "garden gardening soil compost seedling hedge lawn pruning border greenhouse",
    "trains": "train railway locomotive carriage signal platform timetable gauge siding junction",
    "cheese": "cheese rind curd whey dairy cellar goat brine ripening cheddar",
    "chess": "chess pawn bishop castling endgame gambit rook checkmate tournament opening",
    "pottery": "pottery kiln glaze clay wheel stoneware vase firing slip earthenware",
}
_FILLER = (
    "about again along always around because before better between book bring came change child close "
    "country early enough every family found friend give good great half hand hard help home idea keep "
    "kind know large last later learn letter light little long look made make many money morning most "
    "name near never next night often open order other people place plan point question quite read "
    "right room same school second side small something start story such table take talk time today "
    "together town turn under until used visit walk want water week while word work world write year"
).split()
_SITE = "http://toy.example"
_HUBS = 3
_LEAVES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyWeb:
    """A web that fits in a dictionary."""

    topic: str
    home: str
    pages: Mapping[str, Page]
    targets: frozenset[str]
    """The pages on the topic: the truth, whatever a judge may think."""

    def depth(self, url: str) -> int:
        """Return how many links lead from the home page to that page, by the shortest way."""
        depth, level, seen = 0, {self.home}, {self.home}
        while url not in level:
            level = {link.url for each in level for link in self.pages[each].links} - seen
            if not level:
                raise ValueError(f"no way leads to {url}")
            seen |= level
            depth += 1
        return depth

    def brief(self) -> Brief:
        """Return what a user might say of the topic: its name, three pages on it and three that are not."""
        others = sorted(self.pages.keys() - self.targets)
        return Brief(
            text=self.topic,
            examples=tuple(self.pages[url] for url in sorted(self.targets)[:3]),
            negatives=tuple(self.pages[url] for url in others[:: len(others) // 3][:3]),
        )


@lru_cache(maxsize=16)
def toy_web(seed: int = 0) -> ToyWeb:
    """Return a web of 241 pages, 40 of them on the topic; the same for the same seed.

    >>> web = toy_web(seed=1)
    >>> len(web.pages), len(web.targets), min(map(web.depth, web.targets))
    (241, 40, 3)
    """
    chance = random.Random(seed)  # noqa: S311  (a web, not a secret)
    home = f"{_SITE}/"
    portals = {subject: f"{_SITE}/{subject}/" for subject in _SUBJECTS}
    topic = next(iter(_SUBJECTS))
    bar = [home, *(url for subject, url in portals.items() if subject != topic)]
    hubs = {
        subject: [f"{portal}hub-{number}" for number in range(_HUBS)] for subject, portal in portals.items()
    }
    leaves = {
        hub: [f"{hub}/page-{number}" for number in range(_LEAVES)] for few in hubs.values() for hub in few
    }
    anywhere = [leaf for few in leaves.values() for leaf in few]
    pages = {home: _page(home, "", bar, chance)}
    for subject, portal in portals.items():
        pages[portal] = _page(portal, subject, [*bar, *hubs[subject]], chance)
        for hub in hubs[subject]:
            onward = [portals[topic]] if subject == "gardens" else []
            pages[hub] = _page(hub, subject, [*bar, *leaves[hub], *onward], chance)
            for leaf in leaves[hub]:
                near = chance.sample(leaves[hub], 4)
                pages[leaf] = _page(leaf, subject, [*bar, hub, *near, chance.choice(anywhere)], chance)
    targets = frozenset(url for url in pages if url.startswith(portals[topic]))
    return ToyWeb(topic=topic, home=home, pages=pages, targets=targets)


def _page(url: str, subject: str, urls: list[str], chance: random.Random) -> Page:
    vocabulary = _SUBJECTS[subject].split() if subject else []
    title = " ".join(chance.choices(vocabulary, k=2)) if subject else "Welcome"
    sentence = chance.choices(_FILLER, k=150) + chance.choices(vocabulary, k=30 if subject else 0)
    chance.shuffle(sentence)
    links = tuple(_link(each, place, chance) for place, each in enumerate(dict.fromkeys(urls)) if each != url)
    return Page(url=url, title=title, headings=(title,), text=" ".join(sentence), links=links, language="en")


def _link(url: str, place: int, chance: random.Random) -> Link:
    """Return a link whose words say where it leads, more or less."""
    subject = url.removeprefix(_SITE).split("/")[1]
    vocabulary = _SUBJECTS[subject].split() if subject else _FILLER
    anchor = " ".join(chance.choices(vocabulary, k=2))
    around = " ".join([*chance.choices(_FILLER, k=6), anchor, *chance.choices(_FILLER, k=6)])
    return Link(url=url, anchor=anchor, around=around, block=around, place=place, path="html/body/p/a")
