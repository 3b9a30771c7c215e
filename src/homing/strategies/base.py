"""The class every strategy is built on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from homing.model import Entry, Failure, Priority, Proposal, Ranking, State, Topic, Visit, keep_better
from homing.parameters import Part
from homing.ports import View


class Strategy(Part, ABC):
    """Decides which URL is fetched next.

    A strategy learns from every visit (``learn``) and proposes priorities for the links of a page
    (``score``); the crawl does the rest. It has no clock, no network, no frontier and no store. Its
    parameters are fields (``homing.parameters``); one that draws has a ``seed``.

    Three things suffice for every published method. A priority is a pair: the lower ``tier`` first, then
    the higher ``score``. A proposal's ``memo`` is a few bytes that come back with the URL's entry when its
    page is visited. And ``merge`` combines two proposals for one URL.

    ``learn`` and ``score`` are called at every page, on the event loop: they have a millisecond or two.
    What takes longer, such as fitting a model, belongs in ``rerank``, which runs in a thread.

    Subclasses define ``name`` and ``score``. ``homing.checks.strategy.check_strategy`` checks that they
    keep the contract.
    """

    kind: ClassVar[str] = "strategy"
    rerank_every = 0
    """Visits between two calls of ``rerank``; 0 for never."""
    additive: ClassVar[bool] = False
    """Whether every proposal for a URL must reach ``merge``, as they add up, and not only better ones."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "merge" in vars(cls) and "additive" not in vars(cls):
            cls.additive = True  # unless it says otherwise: the safe choice, if slower

    def begin(self, topic: Topic) -> None:
        """Take in the topic; called once, before anything else."""

    def start(self, url: str) -> Proposal:
        """Propose a seed: no link can be better."""
        return Proposal(url=url, priority=Priority(score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        """Learn from a visit. The only method in which a strategy may change."""

    @abstractmethod
    def score(self, visit: Visit) -> Iterable[Proposal]:
        """Propose priorities for the links of a page; also revisits of pages already fetched.

        Pure: the same visit gets the same proposals, and nothing changes. ``learn`` has had the visit.
        """

    merge = staticmethod(keep_better)
    """Combine a URL's priority and a new proposal for it. A strategy that overrides it is ``additive``,
    unless it says otherwise."""

    def rerank(self, view: View) -> Ranking | None:
        """Return new priorities for frontier URLs, from the crawl as a whole; they replace the old ones."""
        return None

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        """Propose what to do with the credit of a page that could not be fetched."""
        return ()

    def state(self) -> State:
        """Return all that was learned so far, as plain data that survives JSON."""
        return {}

    def restore(self, state: State) -> None:
        """Resume from a saved state: the crawl continues as if it had not stopped.

        A state of another version is refused by an ``OldStateError`` before anything changes.
        """
