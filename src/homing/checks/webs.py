"""A very small web, and a very small crawl over it: for docstring examples and the batteries.

The web is generated from a seed, without network or files. Six subjects have forty pages each, behind
a portal and three hubs. The home page links to every portal but that of the topic: butterflies are
found by way of gardens, or by one of the few links that lead anywhere. The crawl is a plain loop that
shows what a strategy does; the lab, which measures, runs the real engine.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.judge import Brief, Judge, Keywords
from homing.model import Entry, Failure, Link, Page, Priority, Proposal, Ranking, Visit, keep_better
from homing.ports import Strategy
from homing.urls import key

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
        """How many links lead from the home page to that page, by the shortest way."""
        depth, level, seen = 0, {self.home}, {self.home}
        while url not in level:
            level = {link.url for each in level for link in self.pages[each].links} - seen
            if not level:
                raise ValueError(f"no way leads to {url}")
            seen |= level
            depth += 1
        return depth

    def brief(self) -> Brief:
        """What a user might say of the topic: its name, three pages on it and three that are not."""
        others = sorted(self.pages.keys() - self.targets)
        return Brief(
            text=self.topic,
            examples=tuple(self.pages[url] for url in sorted(self.targets)[:3]),
            negatives=tuple(self.pages[url] for url in others[:: len(others) // 3][:3]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a small crawl brought home."""

    order: tuple[str, ...]
    harvest: float
    """The share of the fetched pages that are on the topic."""


@lru_cache(maxsize=16)
def toy_web(seed: int = 0) -> ToyWeb:
    """A web of 241 pages, 40 of them on the topic; the same for the same seed.

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
    """A link whose words say where it leads, more or less."""
    subject = url.removeprefix(_SITE).split("/")[1]
    vocabulary = _SUBJECTS[subject].split() if subject else _FILLER
    anchor = " ".join(chance.choices(vocabulary, k=2))
    around = " ".join([*chance.choices(_FILLER, k=6), anchor, *chance.choices(_FILLER, k=6)])
    return Link(url=url, anchor=anchor, around=around, block=around, place=place, path="html/body/p/a")


def replay(web: ToyWeb, strategy: Strategy, *, pages: int, judge: Judge | None = None) -> Result:
    """Crawl a toy web from its home page until so many pages have come.

    >>> from homing.strategies import BreadthFirst
    >>> result = replay(toy_web(seed=1), BreadthFirst(), pages=10)
    >>> len(result.order), result.order[0], result.harvest
    (10, 'http://toy.example/', 0.0)
    """
    crawl = ToyCrawl(web, strategy, judge=judge)
    crawl.run(pages)
    return Result(order=tuple(crawl.order), harvest=crawl.harvest)


class ToyCrawl:
    """The engine's steps over a toy web, without network, time and disk; re-ranks among them.

    Parameters
    ----------
    web
        What is crawled, from its home page.
    strategy
        Says what is next. It may be replaced between two runs by one that was restored from its state.
    judge
        By default the one that looks for the topic's name.
    dead
        URLs whose pages do not come.
    in_flight
        How many URLs are handed out before the first of their pages arrives.
    """

    def __init__(
        self,
        web: ToyWeb,
        strategy: Strategy,
        *,
        judge: Judge | None = None,
        dead: Container[str] = (),
        in_flight: int = 1,
    ) -> None:
        self.web = web
        self.strategy = strategy
        self.judge = judge or _keywords(web.topic)
        self.dead = dead
        self.in_flight = in_flight
        self.order: list[str] = []
        """Every page that came, in order."""
        self.entries: dict[str, Entry] = {}
        """Every known URL, in order of discovery: its place is its ``seq``."""
        self._waiting: set[str] = set()
        self._leased: deque[str] = deque()
        self._links: dict[int, tuple[int, ...]] = {}
        self._scores: dict[int, float] = {}
        strategy.begin(self.judge.topic())
        self._offer([strategy.start(web.home)], shown={web.home}, found_on=None)

    @property
    def harvest(self) -> float:
        """The share of the fetched pages that are on the topic."""
        return len(self.web.targets.intersection(self.order)) / max(len(self.order), 1)

    def run(self, pages: int) -> None:
        """Go on until that many pages have come in all, or no URL is left; what is in flight stays so."""
        while len(self.order) < pages:
            while self._waiting and len(self._leased) < self.in_flight:
                best = min((self.entries[url] for url in self._waiting), key=_place_in_line)
                self._waiting.discard(best.url)
                self._leased.append(best.url)
            if not self._leased:
                return
            self._take_in(self._leased.popleft())

    def view(self) -> ToyView:
        """The crawl as a strategy may look at it."""
        waiting = sorted(self.entries[url].seq for url in self._waiting)
        return ToyView(
            entries=tuple(self.entries.values()),
            queue=waiting,
            onward=dict(self._links),
            scores=dict(self._scores),
        )

    def _take_in(self, url: str) -> None:
        """One answer. What the URL holds is looked up now, not when it was handed out, and then spent."""
        entry, strategy = self.entries[url], self.strategy
        self.entries[url] = replace(entry, priority=Priority(), memo=b"", why=())
        if url in self.dead:
            returned = strategy.missed(entry, Failure(url=url, kind="timeout"))
            self._offer([each for each in returned if each.url in self.entries], shown=(), found_on=entry)
            return
        page = self.web.pages[url]
        self.order.append(url)
        visit = Visit(step=len(self.order), entry=entry, page=page, judgement=self.judge.judge(page))
        strategy.learn(visit)
        self._scores[entry.seq] = visit.judgement.score
        self._offer(strategy.score(visit), shown={link.url for link in page.links}, found_on=entry)
        known = (self.entries.get(link.url) for link in page.links)
        self._links[entry.seq] = tuple(each.seq for each in known if each)
        if strategy.rerank_every and visit.step % strategy.rerank_every == 0:
            self._overwrite(strategy.rerank(self.view()))

    def _offer(self, proposals: Iterable[Proposal], *, shown: Container[str], found_on: Entry | None) -> None:
        for proposal in proposals:
            url = proposal.url
            old = self.entries.get(url)
            if old is None:
                assert url in shown, f"proposes {url}, which no page has shown"
                depth = found_on.depth + 1 if found_on else 0
                old = Entry(key=key(url), url=url, priority=Priority(), depth=depth, seq=len(self.entries))
                if found_on:
                    old = replace(old, parent=found_on.seq)
                self._waiting.add(url)
            else:
                finished = url not in self._waiting and url not in self._leased
                if finished and proposal.revisit:
                    self._waiting.add(url)
                elif finished and self.strategy.merge is keep_better:
                    continue  # credit may reach a finished page, where it adds up; a better score has no use
                proposal = self.strategy.merge(old, proposal)
            self.entries[url] = replace(old, priority=proposal.priority, memo=proposal.memo, why=proposal.why)

    def _overwrite(self, ranking: Ranking | None) -> None:
        if ranking is None:
            return
        waiting = {self.entries[url].key: url for url in self._waiting}
        rows = zip(ranking.keys.tolist(), ranking.tiers.tolist(), ranking.scores.tolist(), strict=True)
        for number, tier, score in rows:
            if number in waiting:
                url = waiting[number]
                self.entries[url] = replace(self.entries[url], priority=Priority(tier=tier, score=score))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyView:
    """``ports.View`` over plain lists."""

    entries: Sequence[Entry]
    """Every known URL, at place ``seq``."""
    queue: Sequence[int]
    """Those that wait."""
    onward: Mapping[int, Sequence[int]]
    """Where each page leads."""
    scores: Mapping[int, float]

    def waiting(self) -> NDArray[np.int64]:
        return np.array(self.queue, dtype=np.int64)

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([self.entries[seq].key for seq in seqs.tolist()], dtype=np.int64)

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        found = [self.entries[seq].priority for seq in seqs.tolist()]
        tiers, scores = [each.tier for each in found], [each.score for each in found]
        return np.array(tiers, dtype=np.int32), np.array(scores, dtype=np.float64)

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pairs = [(page, target) for page, targets in self.onward.items() for target in targets]
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return both[:, 0].copy(), both[:, 1].copy()

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return np.array([*self.scores], dtype=np.int64), np.array([*self.scores.values()], dtype=np.float64)


def _place_in_line(entry: Entry) -> tuple[int, float, int]:
    return entry.priority.tier, -entry.priority.score, entry.seq


@lru_cache(maxsize=4)
def _keywords(topic: str) -> Keywords:
    return Keywords(topic)
