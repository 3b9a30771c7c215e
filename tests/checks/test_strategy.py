"""The battery finds every strategy that breaks a promise. Covers ``strategy`` and ``memory``.

Each strategy here breaks one promise and keeps the others; each check of the battery fails for one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace
from tests.checks.complaints import complaints_in

from homing.checks import memory, replays, strategy
from homing.checks.strategy import check_strategy
from homing.model import Entry, Failure, Priority, Proposal, Ranking, State, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies import Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.link_context import LinkContext

CALLS = itertools.count(1)
"""What a strategy must not depend on: how much has been done in this process."""


# --- what a strategy says of itself ---------------------------------------------------------------


class Nameless(Strategy):
    """Has no name."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        return iter(())


class Undocumented(LinkContext):
    pass


class Positional(LinkContext):
    """Takes a parameter by position."""

    def __init__(self, weight: float = 0.5) -> None:
        super().__init__(page_weight=weight)


class Demanding(LinkContext):
    """Has a parameter without a default."""

    def __init__(self, *, weight: float) -> None:
        super().__init__(page_weight=weight)


class Careless(LinkContext):
    """Does not keep its parameter."""

    def __init__(self, *, weight: float = 0.5) -> None:
        super().__init__(page_weight=weight)


class Eclipsed(LinkContext):
    """Does not keep its parameter, which has the name of a method."""

    def __init__(self, *, learn: bool = True) -> None:
        super().__init__()


class Doubling(LinkContext):
    """Keeps another value than it was given."""

    def __init__(self, *, page_weight: float = 0.1) -> None:
        super().__init__(page_weight=2 * page_weight)


class Contrary(LinkContext):
    """Keeps the opposite of what it was given, under a name other than the parameter's."""

    _learns: bool = parameter("Whether to learn.", default=True, alias="learn")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._learns = not self._learns


# --- seeds and pages that cannot be fetched -------------------------------------------------------


class Astray(LinkContext):
    """Proposes another seed than the one it is given."""

    def start(self, url: str) -> Proposal:
        return super().start(f"{url}index.html")


class Excited(LinkContext):
    """Gives seeds a score without end."""

    def start(self, url: str) -> Proposal:
        return Proposal(url=url, priority=Priority(score=float("inf")))


class Counting(LinkContext):
    """Counts pages that could not be fetched."""

    failures = 0

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        self.failures += 1
        return ()

    def state(self) -> State:
        return {"failures": self.failures}


# --- scores ---------------------------------------------------------------------------------------


class Fickle(LinkContext):
    """Gives another answer each time."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        drawn = next(CALLS)
        for proposal in super().score(visit):
            yield replace(proposal, priority=Priority(score=drawn))


class Impure(LinkContext):
    """Counts its answers."""

    answers = 0

    def score(self, visit: Visit) -> Iterator[Proposal]:
        self.answers += 1
        yield from super().score(visit)

    def state(self) -> State:
        return {"answers": self.answers}


class Individual(LinkContext):
    """Is like no other strategy of its class."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number = next(CALLS)

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for proposal in super().score(visit):
            yield replace(proposal, priority=Priority(score=self.number))


class Infinite(LinkContext):
    """Gives scores without end."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for proposal in super().score(visit):
            yield replace(proposal, why=(("page", float("inf")),))


class Inventive(LinkContext):
    """Proposes a URL that no page has shown."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        yield Proposal(url="http://nowhere.example/")


class InventiveAtTimes(LinkContext):
    """Does so only where the page is an ordinary one."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        yield from super().score(visit)
        if visit.page.title and visit.page.text:
            yield Proposal(url=f"{visit.page.url}index.html")


# --- merging --------------------------------------------------------------------------------------


class Unheard(LinkContext):
    """Has a rule of its own and says that there is none."""

    additive = False

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return new


class Renaming(LinkContext):
    """Merges into another URL."""

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return Proposal(url=f"{old.url}#", priority=old.priority)


class Stubborn(LinkContext):
    """Keeps the first proposal for a URL."""

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return Proposal(url=old.url, priority=old.priority)


# --- state ----------------------------------------------------------------------------------------


class Opaque(LinkContext):
    """Has a state that is no plain data."""

    def state(self) -> State:
        return {"numbers": {1, 2}}


class Learner(LinkContext):
    """Counts pages."""

    pages = 0

    def learn(self, visit: Visit) -> None:
        self.pages += 1

    def state(self) -> State:
        return {"pages": self.pages}

    def restore(self, state: State) -> None:
        self.pages = int(str(state["pages"]))


class Amnesic(Learner):
    """Saves its count and does not restore it."""

    def restore(self, state: State) -> None:
        self.pages = 0


class Forgetful(Learner):
    """Scores by its count, and saves nothing."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for proposal in super().score(visit):
            yield replace(proposal, priority=Priority(tier=self.pages))

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        pass


class Scarred(Learner):
    """Counts pages otherwise once it has been restored."""

    scars = 0

    def learn(self, visit: Visit) -> None:
        self.pages += 1 + self.scars

    def restore(self, state: State) -> None:
        super().restore(state)
        self.scars = 1


class Hoarder(LinkContext):
    """Saves the text of every page."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.texts: list[str] = []

    def learn(self, visit: Visit) -> None:
        self.texts.append(visit.page.text.encode("ascii", "ignore").decode())

    def state(self) -> State:
        return {"texts": self.texts}

    def restore(self, state: State) -> None:
        self.texts = list(map(str, list(state["texts"])))  # type: ignore[call-overload]


class SecretHoarder(LinkContext):
    """Keeps every visit, and does not save it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.visits: list[Visit] = []

    def learn(self, visit: Visit) -> None:
        self.visits.append(visit)


# --- re-ranking -----------------------------------------------------------------------------------


class Moody(LinkContext):
    """Reverses the frontier at every second re-rank, and forgets that it did."""

    rerank_every = 50
    reranks = 0

    def rerank(self, view: View) -> Ranking | None:
        self.reranks += 1
        waiting = view.waiting()
        scores = (-1) ** self.reranks * (waiting % 7).astype(np.float64)
        return Ranking(
            keys=view.keys(waiting),
            tiers=np.zeros(len(waiting), dtype=np.int32),
            scores=scores,
            parts={"mood": scores},
        )


class Numbering(Moody):
    """Leaves scores as they are; numbers re-ranks in the reasons and forgets the number."""

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        _, scores = view.priorities(view.waiting())
        return ranking and replace(ranking, scores=scores, parts={"number": 0 * scores + self.reranks})


class Taciturn(Moody):
    """Gives no reasons for a re-rank."""

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        return ranking and replace(ranking, parts={})


class Ragged(Moody):
    """Leaves out a score."""

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        return ranking and replace(ranking, scores=ranking.scores[1:])


class Boundless(Moody):
    """Re-ranks with scores that are no numbers."""

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        return ranking and replace(ranking, scores=ranking.scores + np.nan)


class RaggedLater(Ragged):
    """Does so in a long crawl only."""

    rerank_every = 1_000


BROKEN: list[tuple[Callable[[], Strategy], str]] = [
    (Nameless, "a strategy needs a name"),
    (Undocumented, "a strategy needs a docstring"),
    (Positional, "must be a keyword-only parameter"),
    (partial(Demanding, weight=0.5), "needs a default"),
    (Careless, "must be kept as self."),
    (Eclipsed, "must be kept as self."),
    (Doubling, "must build the same strategy again"),
    (Contrary, "must build the same strategy again"),
    (Astray, "start() must propose the seed it was given"),
    (Excited, "is not finite: "),
    (Counting, "start() or missed() changes the state"),
    (Fickle, "score() gives two answers"),
    (Impure, "score() changes the state"),
    (Individual, "the same visits lead to different proposals"),
    (Infinite, "is not finite: "),
    (Inventive, "proposes URLs that no page has shown"),
    (InventiveAtTimes, ", which no page has shown"),
    (Unheard, "declare additive"),
    (Renaming, "merge() must not change the URL"),
    (Stubborn, "merge() depends on the order"),
    (Opaque, "state() must be plain data"),
    (Amnesic, "is not the state that was restored"),
    (Forgetful, "a restored strategy goes another way"),
    (Moody, "takes pages in another order"),
    (Numbering, "ranks URLs otherwise"),
    (Scarred, "stops leave traces in the state"),
    (Hoarder, "the state grows by"),
    (SecretHoarder, "bytes of memory a page"),
    (Taciturn, "does not say why"),
    (Ragged, "different lengths"),
    (RaggedLater, "different lengths"),
    (Boundless, "a score in a ranking is not finite"),
]


@pytest.mark.parametrize(("make", "complaint"), BROKEN)
def test_a_strategy_that_breaks_a_promise_is_found(make: Callable[[], Strategy], complaint: str) -> None:
    with pytest.raises(AssertionError) as found:
        check_strategy(make)
    assert complaint in str(found.value)


def test_no_check_lacks_a_strategy_that_it_fails_for() -> None:
    for said in complaints_in(strategy, memory, replays):
        assert any(complaint in said for _, complaint in BROKEN), said


class Fragile(BestFirst):
    """Does not expect a page without links."""

    def score(self, visit: Visit) -> Iterator[Proposal]:
        share = 1 / len(visit.page.links)
        for proposal in super().score(visit):
            yield replace(proposal, priority=Priority(score=share))


def test_a_strategy_that_fails_at_an_odd_page_is_found() -> None:
    with pytest.raises(ZeroDivisionError):
        check_strategy(Fragile)
