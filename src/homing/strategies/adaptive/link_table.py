"""The links a crawl has seen: where each stands, how its words are rated, how relevant its neighbours were.

A table with a row for each link, in the order of the pages and of the links on them, so that the neighbours
of a link are the rows before and after it. Links to one URL are chained, the latest first. Every query is
for many links at once, in numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from homing.columns import Columns, packed, unpacked
from homing.key_table import Keys
from homing.model import Link, Page, State
from homing.strategies.adaptive.names import names_of_links
from homing.strategies.adaptive.tokens import words_of_links
from homing.urls import key

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_LINKS = 8
"""Maximum links to a URL that are looked at, the latest; more would add little."""
Group = Literal["page", "block", "spot", "path"]
GROUPS: tuple[Group, ...] = ("page", "block", "spot", "path")
"""What links may share whose targets are alike: their page, their block of text, their tag path on that page,
and their tag path anywhere."""

SCALE = 1_024
"""Scores are kept in whole parts: sums of whole numbers do not depend on their order."""

_PATHS = 2**12
_UNKNOWN = -1


class LinkTable:
    """Every link of the pages a crawl has fetched, by target.

    Parameters
    ----------
    most
        Maximum links kept. Beyond it, those of the oldest pages are forgotten.

    Examples
    --------
    >>> from homing.model import Link
    >>> moths, trains = Link(url="http://a.example/moths"), Link(url="http://a.example/trains", place=1)
    >>> home = Page(url="http://a.example/", links=(moths, trains))
    >>> seen = LinkTable(most=1_000)
    >>> seen.add_page(key(home.url), home, contexts=lambda texts: [0.9, 0.1])
    >>> seen.judge(key(moths.url), 1.0)
    >>> links = seen.links_to(seen.places_of([key(trains.url)]))[0]
    >>> seen.context(links).round(1).tolist()
    [0.1]
    >>> seen.success("page", links, average=0.0, prior_count=1).tolist()
    [0.5]
    """

    def __init__(self, *, most: int) -> None:
        self.most = most
        self._places = Keys()
        self._urls = Columns(score="i2", latest="i4")
        self._links = Columns(
            page="i4", target="i4", before="i4", context="f4", anchor="f4", block="i4", spot="i4", path="i2",
            words="u1", names="u1",
        )  # fmt: skip
        self._words = Columns(word="u2")
        self._names = Columns(row="u4")
        self._index()

    # -- adding

    def add_page(self, number: int, page: Page, contexts: Callable[[list[str]], Sequence[float]]) -> None:
        """Add the links of the page with that key; ``contexts`` rates how much texts speak of the topic."""
        by_url: dict[str, Link] = {}
        for link in page.links:
            by_url.setdefault(link.url, link)
        links = list(by_url.values())
        if not links:
            return
        (source,) = self._entered([number])
        targets = self._entered([key(link.url) for link in links])
        anchors = contexts([link.anchor for link in links])
        ratings = contexts([link.around for link in links])  # whose words are then cached
        words, counts = words_of_links(links, page.language)
        names, lengths = names_of_links(links)
        paths = [_path(link.path) for link in links]
        first = len(self._links)
        self._links.add(
            len(links),
            page=source,
            target=targets,
            before=self._urls["latest"][targets],
            context=ratings,
            anchor=anchors,
            block=self._new_groups("block", [link.block for link in links]),
            spot=self._new_groups("spot", paths),
            path=paths,
            words=counts,
            names=lengths,
        )
        self._starts.add(
            len(links),
            word=len(self._words) + np.cumsum(counts) - counts,
            name=len(self._names) + np.cumsum(lengths) - lengths,
        )
        self._words.add(len(words), word=words)
        self._names.add(len(names), row=names)
        rows = np.arange(first, len(self._links))
        self._urls["latest"][targets] = rows
        self._credit(rows[self._urls["score"][targets] != _UNKNOWN])
        if len(self._links) > self.most:
            self._forget(len(self._links) - 3 * self.most // 4)

    def judge(self, number: int, score: float) -> None:
        """Set the score of the page with that key; only the first one counts."""
        (page,) = self._entered([number])
        if self._urls["score"][page] == _UNKNOWN:
            self._urls["score"][page] = round(score * SCALE)
            rows, row, before = [], int(self._urls["latest"][page]), self._links["before"]
            while row >= 0:
                rows.append(row)
                row = int(before[row])
            self._credit(np.array(rows, np.int64))

    def is_judged(self, number: int) -> bool:
        """Return whether the page with that key has a score, as an example or by the crawl."""
        place = self._places.get(number)
        return place is not None and bool(self._urls["score"][place] != _UNKNOWN)

    def rescore(self, keys: Numbers, scores: Floats) -> int:
        """Replace the scores of judged pages; return by how much their sum changes, in parts of ``SCALE``."""
        places = self._places.of(keys)
        is_judged = places >= 0
        is_judged[is_judged] = self._urls["score"][places[is_judged]] != _UNKNOWN
        places, parts = places[is_judged], np.round(scores[is_judged] * SCALE).astype(np.int16)
        change = int(parts.sum(dtype=np.int64) - self._urls["score"][places].sum(dtype=np.int64))
        self._urls["score"][places] = parts
        self._index()
        return change

    # -- queries

    def places_of(self, keys: Sequence[int] | Numbers) -> Numbers:
        """Return the places of frontier URLs in the table, by their keys; -1 for others."""
        places = self._places.of(np.asarray(keys, np.int64))
        known = places[places >= 0]
        queued = (self._urls["latest"][known] >= 0) & (self._urls["score"][known] == _UNKNOWN)
        places[places >= 0] = np.where(queued, known, -1)
        return places

    def links_to(self, urls: Numbers) -> Numbers:
        """Return the latest links to each of these URLs, a column a URL; -1 where it has no more."""
        before, rows = self._links["before"], self._urls["latest"][urls].astype(np.int64)
        found: list[Numbers] = []
        while len(found) < MOST_LINKS and (rows >= 0).any():
            found.append(rows)
            rows = np.where(rows >= 0, before[rows], -1)
        return np.array(found or [rows])

    def context(self, links: Numbers) -> Floats:
        """Return how much the words around these links speak of the topic."""
        return np.asarray(self._links["context"][links], np.float64)

    def anchor(self, links: Numbers) -> Floats:
        """Return how much their anchors do."""
        return np.asarray(self._links["anchor"][links], np.float64)

    def page_score(self, links: Numbers) -> Floats:
        """Return the scores of the pages on which these links stand."""
        return np.asarray(np.maximum(self._urls["score"][self._links["page"][links]], 0) / SCALE)

    def success(self, group: Group, links: Numbers, *, average: float, prior_count: float) -> Floats:
        """Return how far above average the pages are that links of the same group led to.

        ``prior_count`` more pages are taken to be average: a group of which nothing is known gets 0.
        """
        members, table = self._links[group][links], self._groups[group]
        sums, counts = table["sum"][members] / SCALE, table["count"][members]
        return np.asarray((sums - counts * average) / (counts + prior_count))

    def neighbours(
        self,
        links: Numbers,
        siblings: Floats,
        *,
        average: float,
        prior_count: float,
        fading: float,
        reach: int,
    ) -> Floats:
        """Return the same of the links next to each, by nearness, shrunk to that of its siblings."""
        away = np.concatenate([np.arange(-reach, 0), np.arange(1, reach + 1)])[:, None]
        others = links + away
        there = np.clip(others, 0, len(self._links) - 1)
        pages, scores = self._links["page"], self._urls["score"][self._links["target"][there]]
        counts = (there == others) & (pages[there] == pages[links]) & (scores != _UNKNOWN)
        weights = counts * fading ** (np.abs(away) - 1)
        above = (weights * (scores / SCALE - average)).sum(axis=0)
        return np.asarray((prior_count * siblings + above) / (prior_count + weights.sum(axis=0)))

    def words(self, links: Numbers) -> tuple[NDArray[np.uint16], Numbers]:
        """Return the words of some links, one after the other, and the place of the link each is of."""
        places, owners = _runs(self._starts["word"][links], self._links["words"][links])
        return self._words["word"][places], owners

    def names(self, links: Numbers) -> tuple[NDArray[np.uint32], Numbers]:
        """Return what they call the page they lead to in the same way, as rows of ``text.embeddings``."""
        places, owners = _runs(self._starts["name"][links], self._links["names"][links])
        return self._names["row"][places], owners

    # -- state

    def state(self) -> State:
        return {
            "keys": packed(self._places.in_order()),
            "scores": packed(self._urls["score"]),
            "links": self._links.state(),
            "words": self._words.state(),
            "names": self._names.state(),
        }

    def restore(self, state: State) -> None:
        self._places = Keys(unpacked(state["keys"], "i8"))
        scores = unpacked(state["scores"], "i2")
        self._urls = Columns(score="i2", latest="i4")
        self._urls.add(len(scores), score=scores, latest=-1)
        self._links.restore(state["links"])
        self._words.restore(state["words"])
        self._names.restore(state["names"])
        self._index()

    def _index(self) -> None:
        """Rebuild what follows from the tables."""
        links, urls = self._links, self._urls
        urls["latest"][links["target"]] = np.arange(len(links))  # of several, the last one stays
        counts, lengths = links["words"].astype(np.int64), links["names"].astype(np.int64)
        self._starts = Columns(word="u4", name="u4")
        self._starts.add(len(links), word=np.cumsum(counts) - counts, name=np.cumsum(lengths) - lengths)
        sizes = {"page": len(urls), "path": _PATHS}
        # Only a tag path may have enough links that their scores do not fit into four bytes.
        self._groups = {group: Columns(sum="i8" if group == "path" else "i4", count="i4") for group in GROUPS}
        for group, table in self._groups.items():
            size = sizes.get(group, int(links[group].max(initial=-1)) + 1)
            table.add(size, sum=0, count=0)
        self._credit(np.flatnonzero(urls["score"][links["target"]] != _UNKNOWN))

    def _entered(self, keys: Sequence[int]) -> Numbers:
        """Return the places of URLs in the table, which new ones are added to."""
        places = self._places.enter(np.array(keys, np.int64))
        new = len(self._places) - len(self._urls)
        if new:
            self._urls.add(new, score=_UNKNOWN, latest=-1)
            self._groups["page"].add(new, sum=0, count=0)
        return places

    def _new_groups(self, group: Group, names: Sequence[str | int]) -> list[int]:
        """Return a number for each link's group on its page."""
        table = self._groups[group]
        numbers = {name: len(table) + place for place, name in enumerate(dict.fromkeys(names))}
        table.add(len(numbers), sum=0, count=0)
        return [numbers[name] for name in names]

    def _credit(self, links: Numbers) -> None:
        """Count the scores of the pages these links lead to in their groups."""
        scores = self._urls["score"][self._links["target"][links]]
        for group, table in self._groups.items():
            members = self._links[group][links]
            np.add.at(table["sum"], members, scores)
            np.add.at(table["count"], members, 1)

    def _forget(self, rows: int) -> None:
        """Drop the first rows, and URLs that no other row has."""
        self._words.cut(int(self._starts["word"][rows]))
        self._names.cut(int(self._starts["name"][rows]))
        self._links.cut(rows)
        links = self._links
        links["before"][:] = np.maximum(links["before"] - rows, -1)
        for group in ("block", "spot"):
            links[group][:] -= links[group].min() if len(links) else 0  # or their tables grow for ever
        kept, places = np.unique(np.concatenate([links["page"], links["target"]]), return_inverse=True)
        links["page"][:], links["target"][:] = places[: len(links)], places[len(links) :]
        self._places = Keys(self._places.in_order()[kept])
        old, self._urls = self._urls, Columns(score="i2", latest="i4")
        self._urls.add(len(kept), score=old["score"][kept], latest=-1)
        self._index()


def _runs(starts: NDArray[np.uint32], counts: NDArray[np.uint8]) -> tuple[Numbers, Numbers]:
    """Return the places in runs of these lengths that begin there, and the run each is in.

    >>> [found.tolist() for found in _runs(np.array([7, 0], np.uint32), np.array([2, 1], np.uint8))]
    [[7, 8, 0], [0, 0, 1]]
    """
    counts = counts.astype(np.int64)
    owners = np.repeat(np.arange(len(starts)), counts)
    return np.arange(len(owners)) + (starts - (np.cumsum(counts) - counts))[owners], owners


@lru_cache(maxsize=4_096)
def _path(path: str) -> int:
    """Return a number for the last four steps of a tag path."""
    return crc32("/".join(path.rsplit("/", 4)[-4:]).encode("utf-8", "replace")) % _PATHS
