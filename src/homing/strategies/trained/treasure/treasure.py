"""The Treasure-Crawler: compares where a link stands with places known to lead to targets."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import ValidationError
from msgspec.structs import replace

from homing.errors import ModelError, UsageError
from homing.model import Page, Priority, Proposal, Ranking, State, Topic, Visit, Why
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.trained.base import Trained, best_of
from homing.strategies.trained.treasure.passages import (
    NOWHERE,
    Floats,
    Integers,
    Passage,
    bottom_up,
    passages_of,
    top_down,
)
from homing.strategies.trained.treasure.tgraph import Alike, Average, Enclosing, TGraph
from homing.strategies.trained.treasure.watchdog import Watchdog
from homing.taxonomy import Focus, Taxonomy, codes_of, load, page_text, starter
from homing.trails import LocalGraph

_OFF_TOPIC = 0.01
_READ = 4_000
"""Maximum characters of a page read for its subject; more cost time and change little."""
_MEMO = struct.Struct("<IH")
"""The node that spoke for a link, and the number of the passage it stands in."""


class Estimate(NamedTuple):
    """What the T-Graph says of a passage."""

    nearness: float
    """About one by the number of documents to a target."""
    serial: int = 0
    """The node that speaks for it; 0 if none does."""
    similarity: float = 0.0
    """How much the passage is like that node."""
    distance: int = NOWHERE


class Treasure(Trained):
    """Compares the place of a link with places that led to targets, if it is on the topic's subject.

    Passages that hold links (paragraphs, lists) are the nodes of a T-Graph: the headings above them, their
    words, and how many documents lie between them and a target. A link whose passage falls under another
    subject of a decimal taxonomy than the topic is worth least. The passages of the others are compared with
    every node, and those they are like tell how near a target is. A watchdog adds the passages by which the
    crawl finds targets, and drops nodes that mislead.

    Examples
    --------
    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(fitted(Treasure(), toy_web(seed=2)), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Seyfi, Patel 2015, A focused crawler combinatory link and content model based on T-Graph principles.
    The paper's own: ``aggregate="min"``, ``average="all"``, ``context_weight=0``. With ``min`` half of all
    passages are like some node next to a target, and first come decides; without ``doubt`` a single faint
    likeness does. A page without headings could not be more than .25 similar. Priorities raised now and then
    are a static key here: less ``aging`` for every page before. The watchdog is our design, as the paper
    leaves it to Patel 2010. When a crawl has fitted itself, links found before are re-scored.
    """

    name = "treasure"
    paper: ClassVar[str] = (
        "Seyfi, Patel 2015, A focused crawler combinatory link and content model based on T-Graph principles"
    )

    gate: Literal["link", "page", "off"] = parameter(
        'Whose subject decides whether a link is on the topic: that of its passage ("link"), or of its page '
        'where the passage has no word of the taxonomy; that of its page ("page"); "off": all are.',
        default="link",
    )
    taxonomy: str | Taxonomy = parameter(
        "A CSV or TSV file with the columns code, label, terms; the built-in taxonomy if empty. In English.",
        default="",
    )
    derive: bool = parameter(
        "Where no codes are given (the paper has them given), find them by the topic's words and examples, "
        'as the judge "decimal" does. Without codes all links are on the topic; with wrong ones, few that '
        "should be.",
        default=False,
    )
    aggregate: Literal["min", "topk", "weighted"] = parameter(
        'What the nodes a passage is like come to. "min": the nearest target any of them promises (the '
        'paper). "weighted": the mean of "1 / distance" by similarity; "topk": that of the most similar.',
        default="topk",
    )
    nearest: int = parameter(
        "How many these nodes are.",
        default=10,
        within=(1, 1_000),
    )
    threshold: float = parameter(
        "How similar a node must be to count.",
        default=0.05,
        within=(0.001, 1),
    )
    doubt: float = parameter(
        'How much similarity it takes to outweigh that nothing is known, but for "min".',
        default=1.0,
        within=(0, 1_000),
    )
    average: Average = parameter(
        'Similarity is the mean over the headings and texts that both have ("present"), or over all four '
        '("all", the paper).',
        default="present",
    )
    enclosing: Enclosing = parameter(
        "Whether a node's section heading is compared with \"every\" heading above the link's own (the "
        "paper).",
        default="every",
    )
    construction: Literal["top-down", "bottom-up"] = parameter(
        '"top-down": all passages of the pages given, also those that lead nowhere. "bottom-up": from the '
        "targets through the pages that link to them, level by level.",
        default="top-down",
    )
    levels: int = parameter(
        "Levels built bottom-up, and how far the watchdog walks back.",
        default=4,
        within=(1, 20),
    )
    context_weight: float = parameter(
        "How much the words around a link count; to the T-Graph all links of a passage are one (the paper: "
        "0).",
        default=0.25,
        within=(0, 1),
    )
    aging: float = parameter(
        "What a link in the frontier gains at every fetch.",
        default=1e-4,
        within=(0, 1),
    )
    watch_every: int = parameter(
        "Pages between two rounds of the watchdog; 0 for none.",
        default=200,
        within=(0, 1_000_000),
    )
    refit_every: int = parameter(
        "Visits between two fits from scratch; 0 leaves it to the watchdog.",
        default=0,
        within=(0, 1_000_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.taxonomy
        self._table = load(given) if isinstance(given, str) and given else given
        self.codes: tuple[str, ...] = ()
        self._graph = TGraph(average=self.average, enclosing=self.enclosing)
        self._watchdog = Watchdog(self.levels)
        self._watched_at = 0

    def begin(self, topic: Topic) -> None:
        super().begin(topic)
        if self.gate != "off" and (topic.codes or self.derive):
            self._focus = Focus(self._table or starter())
            self.codes = codes_of(topic, self._focus).keys

    def fit(self, graph: LocalGraph) -> None:
        nodes = top_down(graph) if self.construction == "top-down" else bottom_up(graph, self.levels)
        if not any(node.distance for node in nodes):
            raise UsageError(f'strategy "{self.name}" needs pages that link to targets; none of these does')
        self._graph.use(nodes)

    def predict(self, visit: Visit) -> Iterator[Proposal]:
        return self._proposals(visit.page, age=self.aging * visit.step)

    def _proposals(self, page: Page, age: float = 0.0) -> Iterator[Proposal]:
        links, weight = page.links, self.context_weight
        passages, places = passages_of(page)
        on_topic = self._on_topic(page)
        wanted = list(dict.fromkeys(place for place, passes in zip(places, on_topic, strict=True) if passes))
        estimates = self.estimates([passages[place] for place in wanted], page.language)
        by_place = dict(zip(wanted, estimates, strict=True))
        around = [link.around for link, passes in zip(links, on_topic, strict=True) if passes]
        ratings = iter(self.topic.rate(around) if weight else [0.0] * len(around))
        aged = ("age", -age)
        off_topic = Priority(score=_OFF_TOPIC - age)
        why_not: Why = (("off topic", _OFF_TOPIC), aged)
        for link, place, passes in zip(links, places, on_topic, strict=True):
            if not passes:
                yield Proposal(url=link.url, priority=off_topic, memo=_MEMO.pack(0, place), why=why_not)
                continue
            nearness, serial, similarity, distance = by_place[place]
            worth, context = (1 - weight) * nearness, weight * next(ratings)
            why: Why = (("T-Graph", worth), ("context", context), aged)
            if serial:
                why = (*why[:2], ("similarity", similarity), ("distance", float(distance)), aged)
            priority = Priority(score=max(worth + context, _OFF_TOPIC) - age)
            yield Proposal(url=link.url, priority=priority, memo=_MEMO.pack(serial, place), why=why)

    def _on_topic(self, page: Page) -> list[bool]:
        """Return whether the subject of each link is the topic's."""
        if not self.codes:
            return [True] * len(page.links)
        focus, codes = self._focus, self.codes
        found: list[bool | None] = [None] * len(page.links)
        if self.gate == "link":
            found = [focus.lies_in(codes, link.block, link.anchor) for link in page.links]
        of_page = None in found and focus.plot(page_text(page)[:_READ]).lies_in(codes)
        return [of_page if each is None else each for each in found]

    def estimates(self, passages: Sequence[Passage], language: str) -> list[Estimate]:
        """Return how near a target is, by the nodes that each passage is like."""
        nearest = self.nearest if self.aggregate == "topk" else None
        found: list[Estimate] = []
        for alike in self._graph.alike(passages, language, threshold=self.threshold, nearest=nearest):
            found += self._aggregated(alike)
        return found

    def _aggregated(self, alike: Alike) -> list[Estimate]:
        """Aggregate the nodes that passages are like, all passages at once."""
        row, node, weights = alike.row, alike.node, alike.similarity
        rows, nearness = alike.passages, self._graph.nearness[node]
        unknown = 1 / (self._graph.levels + 1)  # of a passage that is like no node
        if self.aggregate == "min":
            values = _largest(row, nearness, rows)
            is_known, speaking = values > 0, (nearness == values[row]) & (nearness > 0)
        else:
            known = np.bincount(row, weights, rows)
            values = np.bincount(row, nearness * weights, rows) + self.doubt * unknown
            values /= np.maximum(known + self.doubt, 1e-9)
            is_known, speaking = known > 0, nearness > 0
        found = [Estimate(value) for value in np.where(is_known, values, unknown).tolist()]
        row, node, weights = row[speaking], node[speaking], weights[speaking]
        foremost = np.flatnonzero(weights == _largest(row, weights, rows)[row])[::-1]  # the first comes last
        for passage, number, weight in zip(
            row[foremost].tolist(), node[foremost].tolist(), weights[foremost].tolist(), strict=True
        ):
            speaker = self._graph.nodes[number]
            found[passage] = Estimate(found[passage].nearness, speaker.serial, weight, speaker.distance)
        return found

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        serial, place = _MEMO.unpack(visit.entry.memo) if visit.entry.memo else (0, 0)
        node = self._graph.by_serial.get(serial)
        self._watchdog.meet(visit, passages_of(visit.page)[0], place=place, node=node)

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        if self.fitted and self.watch_every and self._seen >= self._watched_at + self.watch_every:
            self._watched_at = self._seen
            self._watchdog.mend(self._graph)
        return ranking

    def rerank_remembered(self, view: View, *, is_first: bool) -> Ranking | None:
        """Re-score links found before there was a graph, or link-context would go on deciding."""
        pages = self._memory.graph().pages.values()
        return best_of((each for page in pages for each in self._proposals(page)), view) if is_first else None

    def score(self, visit: Visit) -> Iterator[Proposal]:
        if self.fitted:
            yield from self.predict(visit)
            return
        age = self.aging * visit.step
        _, places = passages_of(visit.page)
        for place, each in zip(places, super().score(visit), strict=True):
            priority = Priority(score=each.priority.score - age)
            yield replace(each, priority=priority, memo=_MEMO.pack(0, place), why=(*each.why, ("age", -age)))

    def model(self) -> State:
        return self._graph.plain()

    def use(self, model: State) -> None:
        try:
            self._graph.use_plain(model)
        except ValidationError:
            raise ModelError(f'this is no model of strategy "{self.name}"; fit it again') from None

    def state(self) -> State:
        return {**super().state(), "watchdog": self._watchdog.state(), "watched_at": self._watched_at}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._watchdog.restore(state["watchdog"])
        self._watched_at = int(str(state["watched_at"]))


def _largest(row: Integers, values: Floats, rows: int) -> Floats:
    """Return the largest value of each row; 0 for one that has none."""
    found = np.zeros(rows, np.float32)
    np.maximum.at(found, row, values)
    return found
