"""The base of hmm, memm and crf: once they are fitted, links are ranked by a belief."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from heapq import nlargest

from msgspec import convert

from homing.errors import UsageError
from homing.model import Entry, Judgement, Page, Priority, Proposal, Ranking, State, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.trained.base import Trained, best_of
from homing.strategies.trained.sequence.belief import Beliefs, named
from homing.strategies.trained.sequence.sequences import trails_of
from homing.trails import LocalGraph, Trail
from homing.urls import key

_VISITED = 20
"""Visited pages remembered for each place in a capped queue, as they do not belong there any more."""
_UNJUDGED = Judgement(score=0.0, relevant=False, judge="")


class Believer(Trained):
    """The base of strategies that pass a belief along each path.

    Until it is fitted, links are scored by link-context, whose scores mean something else. So after each
    fit the links of all pages it remembers are re-scored, as if their pages had been the first of a path.

    A strategy cannot take URLs out of the frontier. With ``queue_cap`` it remembers the best ones; all
    others are put into a last tier, and fetched when there is nothing else. A link pushed out of the best
    later stays in its tier.
    """

    walks: int = parameter(
        "Random walks through the known pages to learn from (the paper: about 10,000), and as many that "
        "stray.",
        default=1_500,
        within=(10, 1_000_000),
    )
    queue_cap: int = parameter(
        "If not 0, the number of best links in the first tier (the paper: 500), all others being in the "
        "second. Those that are pushed out later stay.",
        default=0,
        within=(0, 100_000),
    )
    seed: int = parameter(
        "Seed of the walks, and of whatever else is drawn.",
        default=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._queue: dict[str, float] = {}
        self._visited: dict[int, None] = {}

    @abstractmethod
    def believe(self, visit: Visit) -> Beliefs:
        """Return what is believed of a page's links; pure. The page has links."""

    def trails(self, graph: LocalGraph) -> list[Trail]:
        """Return the trails to fit on; ``UsageError`` says what is missing."""
        trails = trails_of(graph, self.walks, self.seed)
        if not trails:
            raise UsageError(
                f'strategy "{self.name}" learns from pages that link to pages on the topic: among '
                f"{len(graph.pages)} pages, {len(graph.targets)} of them on the topic, there are none"
            )
        return trails

    def predict(self, visit: Visit) -> Iterator[Proposal]:
        links = visit.page.links
        if not links:
            return
        found = self.believe(visit)
        for link, score, belief, memo in zip(
            links, found.scores, found.beliefs.tolist(), found.memos, strict=True
        ):
            tier = int(self.queue_cap > 0 and self._queue.get(link.url, -1.0) < score)
            yield Proposal(
                url=link.url, priority=Priority(tier=tier, score=score), memo=memo, why=named(belief)
            )

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        if not (self.queue_cap and self.fitted):
            return
        self._visited[key(visit.entry.url)] = None
        if len(self._visited) > _VISITED * self.queue_cap:
            del self._visited[next(iter(self._visited))]
        self._queue.pop(visit.entry.url, None)
        for proposal in self.predict(visit):
            if key(proposal.url) not in self._visited:
                score = proposal.priority.score
                self._queue[proposal.url] = max(score, self._queue.get(proposal.url, 0.0))
        self._queue = dict(nlargest(self.queue_cap, self._queue.items(), key=lambda each: each[1]))

    def rerank_remembered(self, view: View, *, is_first: bool) -> Ranking | None:
        pages = self._memory.graph().pages.values()
        return best_of((each for page in pages for each in self.predict(_alone(page))), view)

    def state(self) -> State:
        return {**super().state(), "queue": self._queue, "visited": list(self._visited)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._queue = convert(state["queue"], dict[str, float])
        self._visited = dict.fromkeys(convert(state["visited"], list[int]))


def _alone(page: Page) -> Visit:
    """Return a visit to a page that no path led to."""
    entry = Entry(key=0, url=page.url, priority=Priority())
    return Visit(step=0, entry=entry, page=page, judgement=_UNJUDGED)
