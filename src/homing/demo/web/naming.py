"""Titles, summaries and addresses of the pages of one site."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from homing.demo.web.sites import Site
from homing.demo.web.vocabulary import Focus, everyday, vocabulary

_NO_FOCUS: Focus = {}
_PARTS = {2: "part two", 3: "part three"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """Address, title and summary of a page."""

    url: str
    title: str
    summary: str
    focus: Focus = field(default_factory=dict)
    """The words of its title by slot, which its text repeats."""


class Names:
    """Names the pages of a site; no address is given twice."""

    def __init__(self, site: Site, dice: Random) -> None:
        self._site = site
        self._dice = dice
        self._taken: set[str] = set()
        self._count = 0

    def home(self) -> Name:
        title = self._site.title
        topic = self._site.topic
        about = f"notes and articles on {topic}" if topic else "a little of everything"
        return Name(url=f"{self._site.root}/", title=title, summary=f"{title}: {about}.")

    def shelf(self, name: str) -> Name:
        return Name(url=self._url(slug(name) + "/"), title=name, summary=f"Sites on the shelf {name}.")

    def notice(self, place: int) -> Name:
        path, title = (("about", f"About {self._site.title}"), ("privacy", "Privacy and terms"))[place]
        return Name(url=self._url(path), title=title, summary=f"{title}: who we are and how to reach us.")

    def links(self) -> Name:
        title = self._dice.choice(everyday().links_titles)
        return Name(url=self._url("links"), title=title, summary="Pages elsewhere that we go back to.")

    def section(self, name: str, place: int, leaf: int) -> Name:
        """Name the ``leaf``-th page of a section's list."""
        if self._site.addressing == "query":
            path = f"list?section={place + 1}" + (f"&page={leaf}" if leaf > 1 else "")
        else:
            path = slug(name) + (f"/page/{leaf}/" if leaf > 1 else "/")
        title = name if leaf == 1 else f"{name}, page {leaf}"
        return Name(url=self._url(path), title=title, summary=f"All articles in {name}, newest first.")

    def article(self, topic: str, section: str) -> Name:
        words = vocabulary(topic)
        focus: dict[str, str] = {}
        title = self._dice.choice(words.titles).fill(self._dice.random, _NO_FOCUS, focus)
        return self._written(title, focus, topic, section)

    def part(self, title: str, focus: Focus, topic: str, part: int, section: str) -> Name:
        """Name the second or third part of a series."""
        return self._written(f"{title}, {_PARTS[part]}", focus, topic, section)

    def mention(self, target: str, topic: str, section: str) -> Name:
        """Name an article on ``topic`` whose title may sound as if it were on ``target``."""
        if self._dice.random() < 0.5:
            return self.article(topic, section)
        return self._written(vocabulary(target).mention(topic).title, _NO_FOCUS, topic, section)

    def _written(self, title: str, focus: Focus, topic: str, section: str) -> Name:
        summary = self._dice.choice(vocabulary(topic).summaries).fill(self._dice.random, focus)
        return Name(url=self._article_url(title, section), title=title, summary=summary, focus=focus)

    def _article_url(self, title: str, section: str) -> str:
        self._count += 1
        match self._site.addressing:
            case "folders":
                return self._url(f"{slug(section)}/{slug(title)}/")
            case "html":
                return self._url(f"{slug(section)}/{slug(title)}.html")
            case "dated":
                when = f"{self._dice.randint(2009, 2025)}/{self._dice.randint(1, 12):02}"
                return self._url(f"{when}/{slug(title)}")
            case "numbered":
                return self._url(f"{slug(section)}/{100 + self._count}-{slug(title)}")
            case "query":
                return self._url(f"article?id={100 + self._count}")

    def _url(self, path: str) -> str:
        url = f"{self._site.root}/{path}"
        if url in self._taken:
            # Before the ending, so that the address keeps its form: name.html, name-2.html, name-3.html.
            stem, dot, ending = path.partition(".")
            tail = "/" if stem.endswith("/") else ""
            number = 2
            while url in self._taken:
                url = f"{self._site.root}/{stem.removesuffix('/')}-{number}{tail}{dot}{ending}"
                number += 1
        self._taken.add(url)
        return url


def slug(title: str) -> str:
    """Turn a title into a part of an address.

    >>> slug("Devil's-bit, in late May")
    'devils-bit-in-late-may'
    """
    plain = title.lower().replace("'", "").encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
