"""Who holds how much cash, so that none is lost on its way.

A URL in the frontier holds its cash as the score of its priority. Cash that reaches a page already fetched
stays there, in an account. Cash that can go nowhere, as a page has no links or was not fetched, goes to the
virtual page, which leads to URLs found lately.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, convert

from homing.model import Entry, Priority, Proposal, State, Visit
from homing.strategies.cash.accounts import Account, Accounts, Row

Recrawl = Literal["virtual", "fetch", "off"]
Part = Literal["links", "waited", "returned"]
"""Where cash comes from: a page just fetched, one fetched earlier, or the virtual page."""

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

    def collect(self, visit: Visit, links: Mapping[str, float]) -> float:
        """Begin a visit: return all that its page holds, and open an account for what will reach it."""
        url = visit.entry.url
        self.visits += 1
        self._visit, self._payments, self._again = (visit.step, url), {}, ""
        held = visit.entry.priority.score + self._fetched.take(url)
        self.virtual += self._fetched.open(url, visit.judgement.score, links)
        self._lately.pop(url, None)
        return held

    def relevance(self, url: str) -> float | None:
        """Return the relevance of a page that has been fetched and has an account."""
        account = self._fetched.get(url)
        return account.relevance if account else None

    def pay(self, gains: Mapping[str, float], part: Part) -> None:
        """Pay each URL what it gains: into its account if it has been fetched, else by a proposal."""
        for url, gain in gains.items():
            account = self._fetched.get(url)
            if account:
                account.cash += gain
            elif self._fetched.is_closed(url):
                self.virtual += gain
            else:
                parts = self._payments.setdefault(url, {})
                parts[part] = parts.get(part, 0.0) + gain
        if part == "links":
            self._lately = dict.fromkeys([*self._lately, *self._payments][-_LATELY:])

    def richest(self) -> tuple[str, Account]:
        """Return the page, fetched earlier, that most cash has reached since."""
        return self._fetched.richest()

    def fetch_again(self, url: str, cash: float) -> None:
        """Propose to fetch a page again, with the cash that has reached it."""
        self._payments[url], self._again = {"waited": cash}, url

    def share_virtual(self) -> None:
        """Share out what the virtual page holds among URLs found lately."""
        if self.virtual and self._lately:
            cash, self.virtual = self.virtual, 0.0
            self.pay(dict.fromkeys(self._lately, cash / len(self._lately)), "returned")

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
    """Return a proposal of cash made up of these parts."""
    cash = sum(parts.values())
    return Proposal(url=url, priority=Priority(score=cash), why=tuple(parts.items()), revisit=revisit)
