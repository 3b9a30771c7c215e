"""What ``opic`` and ``otie`` have in common: all but how a page splits its cash."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from homing.model import Entry, Failure, Priority, Proposal, State, Why
from homing.parameters import parameter
from homing.strategies.base import Strategy
from homing.strategies.cash.ledger import Ledger, Part, Recrawl


class CashFlow(Strategy):
    """The base of strategies in which a page hands on its cash to the pages it links to.

    A subclass spends in ``learn`` what the page of a visit holds, and from time to time calls
    ``recrawl_richest``; ``spend`` says how a page splits its cash over its links. ``cash`` knows who holds
    how much.
    """

    additive: ClassVar[bool] = True

    recrawl: Recrawl = parameter(
        'How cash that has reached a page already fetched moves on: "virtual", along the links it had; '
        '"fetch", by fetching the page again; "off", not at all.',
        default="virtual",
    )
    recrawl_every: int = parameter(
        "Visits after which the richest fetched page and the virtual page hand on what they hold.",
        default=20,
        within=(1, 1_000_000),
    )
    accounts: int = parameter(
        "Fetched pages whose cash and links are kept; what the poorer ones hold is shared out among URLs "
        "found lately.",
        default=10_000,
        within=(10, 1_000_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.cash = Ledger(self.accounts)

    @property
    def gained(self) -> float:
        """What revision has added to the cash the seeds brought."""
        return self.cash.gained

    @property
    def virtual(self) -> float:
        """What the virtual page holds."""
        return self.cash.virtual

    @property
    def waiting(self) -> float:
        """The cash that has reached pages already fetched."""
        return self.cash.waiting

    @abstractmethod
    def spend(self, cash: float, relevance: float, links: Mapping[str, float], part: Part) -> None:
        """Split the cash of a page of that relevance over its links, by their weights."""

    def recrawl_richest(self) -> None:
        """Let the richest page fetched earlier, and the virtual page, hand on what they hold."""
        url, page = self.cash.richest()
        if self.recrawl != "off" and page.cash:
            cash, page.cash = page.cash, 0.0
            if self.recrawl == "fetch":
                self.cash.fetch_again(url, cash)
            else:
                self.spend(cash, page.relevance, dict(page.links), "waited")
        self.cash.share_virtual()

    def start(self, url: str) -> Proposal:
        """Give a seed 1, or as much as has been gained so far if that is more."""
        cash = max(1.0, self.gained)
        return Proposal(url=url, priority=Priority(score=cash), why=(("seed", cash),))

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        """Add up cash."""
        cash = old.priority.score + new.priority.score
        why = _added(old.why, new.why)
        return Proposal(url=old.url, priority=Priority(score=cash), why=why, revisit=new.revisit)

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        return self.cash.give_back(entry)

    def state(self) -> State:
        return self.cash.state()

    def restore(self, state: State) -> None:
        self.cash.restore(state)


def _added(old: Why, new: Why) -> Why:
    """Return the parts of both, those of the same name together."""
    parts = dict(old)
    for name, value in new:
        parts[name] = parts.get(name, 0.0) + value
    return tuple(parts.items())
