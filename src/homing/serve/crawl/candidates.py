"""Candidates for examples: URLs from the user, fetched so that they can be labelled right or wrong."""

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
"""Maximum candidates in a list: they are labelled one by one."""
_KEPT = 10
"""Number of lists kept in memory."""


@dataclass(slots=True, kw_only=True)
class Candidates:
    """A list of URLs with the pages fetched from them."""

    name: str
    urls: Sequence[str]
    is_fetched: bool = False
    samples: dict[str, Sample] = field(default_factory=dict)
    """Readable pages by URL, as it was given."""
    errors: list[str] = field(default_factory=list)
    """A line for each URL that could not be read."""
    labels: dict[str, bool] = field(default_factory=dict)
    """The user's labels by URL; true is right."""

    def records(self, *, right: bool) -> list[Record]:
        """Return the pages labelled right, or wrong."""
        return [self.samples[url].record for url in self.labelled(right=right)]

    def labelled(self, *, right: bool) -> list[str]:
        """Return the URLs labelled right, or wrong."""
        return [url for url, label in self.labels.items() if label is right]

    def fetch(self, config: Config) -> None:
        """Fetch all pages as politely as a crawl does: robots.txt, one request a host, its delay."""
        try:
            fetched = asyncio.run(fetch_pages(self.urls, config))
            sources = Sources(PageParser(product=identity_of(config).product), fetched)
            for url in self.urls:
                for sample in sources.read(url):
                    if sample.has_words:
                        self.samples[url] = sample
                    else:
                        sources.troubles.append(f"{url} holds no text to learn from")
            self.errors += sources.troubles
        except HomingError as error:
            self.errors += error.lines
        finally:
            self.is_fetched = True


class Lists:
    """The latest lists of candidates. Any thread may use it."""

    def __init__(self) -> None:
        self._lists: dict[str, Candidates] = {}

    def begin(self, urls: Sequence[str], config: Config) -> Candidates:
        """Fetch a list in a background thread; the app may end before it is done."""
        candidates = Candidates(name=secrets.token_urlsafe(8), urls=urls)
        self._lists[candidates.name] = candidates
        for old in list(self._lists)[:-_KEPT]:
            self._lists.pop(old, None)
        threading.Thread(target=candidates.fetch, args=(config,), daemon=True).start()
        return candidates

    def find(self, name: str) -> Candidates | None:
        return self._lists.get(name)
