"""The class every strategy is built on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from homing.model import Entry, Failure, Priority, Proposal, Ranking, State, Topic, Visit, keep_better
from homing.parameters import Part
from homing.ports import View


class Strategy(Part, ABC):
    """Decides which URL is worth asking next.

    A strategy is told of every visit (``learn``) and says what the links of a page are worth
    (``score``); the crawl does the rest. It has no clock, no network, no frontier and no store. Its
    parameters are keywords only and kept under their own names; one that draws takes a ``seed``.

    Three things carry every method there is. A priority is a pair: the lower ``tier`` first, then the
    higher ``score``. A proposal's ``memo`` is a few bytes that come back with the URL's entry when its
    page is visited. And ``merge`` says what becomes of two words on one URL.

    ``learn`` and ``score`` are asked at every page, on the event loop: a millisecond or two. What takes
    longer, such as fitting a model anew, belongs into ``rerank``, which is done aside.

    Subclasses give ``name`` and ``score``. ``homing.checks.strategy.check_strategy`` tells whether
    they keep what they promise.
    """

    kind: ClassVar[str] = "strategy"
    rerank_every = 0
    """Visits between two calls of ``rerank``; 0 for never."""
    additive: ClassVar[bool] = False
    """Whether every proposal for a URL must reach ``merge``, as they add up, and not only better ones."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "merge" in vars(cls) and "additive" not in vars(cls):
            cls.additive = True  # unless it says otherwise: nothing is lost but time

    def begin(self, topic: Topic) -> None:
        """What the topic is; called once, before anything else."""

    def start(self, url: str) -> Proposal:
        """A seed enters: no link can be better."""
        return Proposal(url=url, priority=Priority(score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        """Take a visit in. The only place where a strategy may change."""

    @abstractmethod
    def score(self, visit: Visit) -> Iterable[Proposal]:
        """What the links of a page are worth; also revisits of pages already known.

        Pure: the same visit gets the same answer, and nothing changes. ``learn`` has had the visit.
        """

    merge = staticmethod(keep_better)
    """Of a URL's priority and a new proposal for it, what remains. The frontier knows this very
    function and takes a short cut; override it with a method where scores add up."""

    def rerank(self, view: View) -> Ranking | None:
        """New priorities for waiting URLs, from the crawl as a whole; they replace the old ones."""
        return None

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        """A page did not come. It is not irrelevant for that; credit it held may be handed on."""
        return ()

    def state(self) -> State:
        """What has been learnt, as plain data that survives a trip through JSON."""
        return {}

    def restore(self, state: State) -> None:
        """Go on from a saved state: from here on, the same crawl as without the stop.

        One of another version is refused by an ``OldStateError`` before anything is changed.
        """
