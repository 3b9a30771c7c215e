"""Who holds how much cash, so that none is lost on its way.

A URL in the frontier holds its cash as the score of its priority. Cash that reaches a page already fetched
stays there, in an account. Cash that can go nowhere, as a page has no links or was not fetched, goes to the
virtual page, which leads to URLs found lately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct, convert

from homing.model import Entry, Priority, Proposal, State, Visit
from homing.strategies.cash.accounts import Accounts, Row

Recrawl = Literal["virtual", "fetch", "off"]
Revise = Callable[[float, float], float]
"""What becomes of a page's cash before it is handed on, by its relevance."""
Weigh = Callable[[float], float]
"""The weight of a link to a page that has been fetched, by its relevance."""

_LATELY = 100
"""How many URLs the virtual page leads to."""


class Ledger:
    """The cash outside the frontier, and what the latest page has paid to whom."""

    def __init__(self, accounts: int) -> None:
        self.visits = 0
        self.gained = 0.0
        """What revision has added to the cash the seeds brought; below 0 if it took away."""
        self.virtual = 0.0
        """What the virtual page holds."""
        self._fetched = Accounts(accounts)
        self._lately: dict[str, None] = {}
        self._visit = (-1, "")
        self._payments: dict[str, dict[str, float]] = {}
        self._again = ""

    @property
    def waiting(self) -> float:
        """The cash in the accounts of pages already fetched."""
        return self._fetched.total()

    def spend(
        self,
        visit: Visit,
        weights: Mapping[str, float],
        *,
        revise: Revise = lambda cash, _: cash,
        weigh: Weigh = lambda _: 1.0,
    ) -> None:
        """Split what a page holds over its links, by their weights or by what is known of those fetched."""
        url, relevance = visit.entry.url, visit.judgement.score
        self.visits += 1
        self._visit, self._payments, self._again = (visit.step, url), {}, ""
        held = visit.entry.priority.score + self._fetched.take(url)
        self.virtual += self._fetched.open(url, relevance, weights)
        self._lately.pop(url, None)
        self._pay(self._revised(held, relevance, revise), weights.items(), "links", weigh)
        self._lately = dict.fromkeys([*self._lately, *self._payments][-_LATELY:])

    def hand_on(
        self,
        recrawl: Recrawl,
        *,
        revise: Revise = lambda cash, _: cash,
        weigh: Weigh = lambda _: 1.0,
    ) -> None:
        """Let the richest fetched page and the virtual page hand on what they hold."""
        url, account = self._fetched.richest()
        if recrawl != "off" and account.cash:
            cash, account.cash = account.cash, 0.0
            if recrawl == "fetch":
                self._payments[url], self._again = {"waited": cash}, url
            else:
                revised = self._revised(cash, account.relevance, revise)
                self._pay(revised, account.links, "waited", weigh)
        if self.virtual:
            cash, self.virtual = self.virtual, 0.0
            self._pay(cash, [(url, 1.0) for url in self._lately], "returned", weigh)

    def payments(self, visit: Visit) -> list[Proposal] | None:
        """Return what was paid at this visit; ``None`` if it was not the latest one."""
        if self._visit != (visit.step, visit.entry.url):
            return None
        return [proposal(url, parts, url == self._again) for url, parts in self._payments.items()]

    def give_back(self, entry: Entry) -> list[Proposal]:
        """Return what a page held that was not fetched to URLs found lately, as the virtual page does."""
        others = [url for url in self._lately if url != entry.url] or [entry.url]
        share = entry.priority.score / len(others)
        return [proposal(url, {"returned": share}) for url in others] if share else []

    def _revised(self, cash: float, relevance: float, revise: Revise) -> float:
        revised = revise(cash, relevance)
        self.gained += revised - cash
        return revised

    def _pay(self, cash: float, links: Iterable[tuple[str, float]], part: str, weigh: Weigh) -> None:
        known = [(url, weight, self._fetched.get(url)) for url, weight in links]
        weights = [weigh(account.relevance) if account else weight for _, weight, account in known]
        whole = sum(weights)
        if not whole:
            self.virtual += cash
            return
        for (url, _, account), weight in zip(known, weights, strict=True):
            share = cash * weight / whole
            if account:
                account.cash += share
            elif self._fetched.is_closed(url):
                self.virtual += share
            else:
                parts = self._payments.setdefault(url, {})
                parts[part] = parts.get(part, 0.0) + share

    def state(self) -> dict[str, object]:
        return {
            "seen": self.visits,
            "gained": self.gained,
            "virtual": self.virtual,
            "lately": list(self._lately),
            **self._fetched.state(),
        }

    def restore(self, state: State) -> None:
        saved = convert(dict(state), _Saved)
        self.visits, self.gained, self.virtual = saved.seen, saved.gained, saved.virtual
        self._lately = dict.fromkeys(saved.lately)
        self._fetched.restore(saved.open, saved.closed)


class _Saved(Struct):
    """The state of a ledger."""

    seen: int
    gained: float
    virtual: float
    lately: list[str]
    open: list[Row]
    closed: str


def split(cash: float, weights: Mapping[str, float]) -> list[Proposal]:
    """Return what links would be paid, without paying it."""
    part = cash / (sum(weights.values()) or 1.0)
    return [proposal(url, {"links": part * weight}) for url, weight in weights.items()]


def proposal(url: str, parts: Mapping[str, float], revisit: bool = False) -> Proposal:
    """Return a proposal of cash that comes in these parts."""
    cash = sum(parts.values())
    return Proposal(url=url, priority=Priority(score=cash), why=tuple(parts.items()), revisit=revisit)
