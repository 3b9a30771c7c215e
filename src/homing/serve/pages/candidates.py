"""Candidates for examples: URLs that a person has found, fetched to be looked at, called right or wrong."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from homing.config import Config
from homing.crawler.examples import fetch_pages
from homing.errors import HomingError
from homing.fetch.wiring import identity_of
from homing.parse import PageParser
from homing.records import Record
from homing.topic.sources import Sample, Sources

MOST = 200
"""Candidates that somebody will look at, one by one."""
_KEPT = 10
"""Lists that are remembered."""


@dataclass(slots=True, kw_only=True)
class Candidates:
    """A list of URLs, and what they turned out to be."""

    name: str
    urls: Sequence[str]
    is_fetched: bool = False
    samples: dict[str, Sample] = field(default_factory=dict)
    """By URL as it was given; those that have something to read."""
    troubles: list[str] = field(default_factory=list)
    """A line for each that could not be read."""
    marks: dict[str, bool] = field(default_factory=dict)
    """What a person said of them, by URL."""

    def records(self, *, right: bool) -> list[Record]:
        """The pages that were called right, or wrong."""
        return [self.samples[url].record for url, mark in self.marks.items() if mark is right]

    def marked(self, *, right: bool) -> list[str]:
        return [url for url, mark in self.marks.items() if mark is right]

    def fetch(self, config: Config) -> None:
        """Fetch all of them, as politely as a crawl does it: robots.txt, one request a host, its delay."""
        try:
            fetched = asyncio.run(fetch_pages(self.urls, config))
            sources = Sources(PageParser(product=identity_of(config).product), fetched)
            for url in self.urls:
                for sample in sources.read(url):
                    if sample.has_words:
                        self.samples[url] = sample
                    else:
                        sources.troubles.append(f"{url} holds no text to learn from")
            self.troubles += sources.troubles
        except HomingError as error:
            self.troubles += error.lines
        finally:
            self.is_fetched = True


class Lists:
    """The last lists of candidates. Any thread may use it."""

    def __init__(self) -> None:
        self._lists: dict[str, Candidates] = {}

    def begin(self, urls: Sequence[str], config: Config) -> Candidates:
        """Fetch a list beside everything else; the app does not wait for it when it ends."""
        made = Candidates(name=secrets.token_urlsafe(8), urls=urls)
        self._lists[made.name] = made
        for old in list(self._lists)[:-_KEPT]:
            self._lists.pop(old, None)
        threading.Thread(target=made.fetch, args=(config,), daemon=True).start()
        return made

    def find(self, name: str) -> Candidates | None:
        return self._lists.get(name)
