"""What strategies share that move cash along links: who holds how much, so that nothing gets lost.

A URL that waits holds its cash as the score of its priority, in the frontier. Cash that reaches a page
already fetched waits there, in an account. Cash that can go nowhere, as a page has no links or did not
come, goes to the virtual page, which leads to URLs found lately.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, convert

from homing.model import Entry, Failure, Priority, Proposal, State, Visit, Why
from homing.registry import within
from homing.strategies.base import Strategy
from homing.strategies.cash.accounts import Accounts, Row

Recrawl = Literal["virtual", "fetch", "off"]

_LATELY = 100
"""How many URLs the virtual page leads to."""


class CashFlow(Strategy):
    """The base of strategies in which a page hands on its cash to the pages it links to.

    A page spends what it holds when it is visited. Every ``recrawl_every`` visits the richest of the pages
    fetched before hands on what has reached it since, and so does the virtual page.

    Subclasses give ``predict``; where pages are not all alike to them, also the other hooks below it.
    """

    def __init__(self, *, recrawl: Recrawl, recrawl_every: int, accounts: int) -> None:
        self.recrawl: Recrawl = recrawl
        self.recrawl_every = int(within(self, "recrawl_every", recrawl_every, 1, 1_000_000))
        self.accounts = int(within(self, "accounts", accounts, 10, 1_000_000))
        self.gained = 0.0
        """What ``revised`` has added to the cash the seeds brought; below 0 if it took away."""
        self.virtual = 0.0
        """What the virtual page holds."""
        self._seen = 0
        self._fetched = Accounts(self.accounts)
        self._lately: dict[str, None] = {}
        self._told = (-1, "")
        self._payments: dict[str, dict[str, float]] = {}
        self._again = ""

    # -- what a subclass gives

    @abstractmethod
    def predict(self, visit: Visit) -> dict[str, float]:
        """The URLs that a page leads to, and how good each of them promises to be."""

    def notice(self, predicted: Mapping[str, float]) -> None:
        """Learn from what was predicted for the links of a page."""

    def weigh(self, predicted: dict[str, float]) -> dict[str, float]:
        """The URLs that are paid, and the weight of each as long as its page is unknown."""
        return predicted

    def worth(self, relevance: float) -> float:
        """The weight of a URL whose page has been fetched."""
        return 1.0

    def revised(self, cash: float, relevance: float) -> float:
        """What becomes of a page's cash before it is handed on."""
        return cash

    # -- what the crawl asks

    @property
    def waiting(self) -> float:
        """The cash that waits at pages already fetched."""
        return self._fetched.total()

    def start(self, url: str) -> Proposal:
        """A seed brings 1, or more if it comes late: as much as has been gained by then."""
        cash = max(1.0, self.gained)
        return Proposal(url=url, priority=Priority(score=cash), why=(("seed", cash),))

    def learn(self, visit: Visit) -> None:
        url, relevance = visit.entry.url, visit.judgement.score
        self._seen += 1
        self._told, self._payments, self._again = (visit.step, url), {}, ""
        predicted = self.predict(visit)
        self.notice(predicted)
        links = self.weigh(predicted)
        held = visit.entry.priority.score + self._fetched.take(url)
        self.virtual += self._fetched.open(url, relevance, links)
        self._lately.pop(url, None)
        self._pay(self._revise(held, relevance), links.items(), "links")
        self._lately = dict.fromkeys([*self._lately, *self._payments][-_LATELY:])
        if self._seen % self.recrawl_every == 0:
            self._hand_on_richest()
            self._hand_on_virtual()

    def score(self, visit: Visit) -> Iterable[Proposal]:
        if self._told == (visit.step, visit.entry.url):
            return [_proposal(url, parts, url == self._again) for url, parts in self._payments.items()]
        # A sitemap, or a visit judged anew: what its links would get, and nothing is handed on besides.
        links = self.weigh(self.predict(visit))
        cash = self.revised(visit.entry.priority.score, visit.judgement.score)
        part = cash / (sum(links.values()) or 1.0)
        return [_proposal(url, {"links": part * weight}) for url, weight in links.items()]

    additive = True

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        """Cash adds up."""
        cash = old.priority.score + new.priority.score
        why = _added(old.why, new.why)
        return Proposal(url=old.url, priority=Priority(score=cash), why=why, revisit=new.revisit)

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        """What a page held that did not come goes where the cash of the virtual page goes."""
        others = [url for url in self._lately if url != entry.url] or [entry.url]
        share = entry.priority.score / len(others)
        return [_proposal(url, {"returned": share}) for url in others] if share else []

    # -- cash on its way

    def _revise(self, cash: float, relevance: float) -> float:
        revised = self.revised(cash, relevance)
        self.gained += revised - cash
        return revised

    def _pay(self, cash: float, links: Iterable[tuple[str, float]], part: str) -> None:
        """Split cash over links, by the relevance of those that have been fetched by now."""
        known = [(url, weight, self._fetched.get(url)) for url, weight in links]
        weights = [self.worth(account.relevance) if account else weight for _, weight, account in known]
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

    def _hand_on_richest(self) -> None:
        url, account = self._fetched.richest()
        if self.recrawl == "off" or not account.cash:
            return
        cash, account.cash = account.cash, 0.0
        if self.recrawl == "fetch":
            self._payments[url], self._again = {"waited": cash}, url
        else:
            self._pay(self._revise(cash, account.relevance), account.links, "waited")

    def _hand_on_virtual(self) -> None:
        if self.virtual:
            cash, self.virtual = self.virtual, 0.0
            self._pay(cash, [(url, 1.0) for url in self._lately], "returned")

    # -- state

    def state(self) -> State:
        return {
            "seen": self._seen,
            "gained": self.gained,
            "virtual": self.virtual,
            "lately": list(self._lately),
            **self._fetched.state(),
        }

    def restore(self, state: State) -> None:
        saved = convert(dict(state), _Saved)
        self._seen, self.gained, self.virtual = saved.seen, saved.gained, saved.virtual
        self._lately = dict.fromkeys(saved.lately)
        self._fetched.restore(saved.open, saved.closed)


class _Saved(Struct):
    """The state of a strategy that moves cash."""

    seen: int
    gained: float
    virtual: float
    lately: list[str]
    open: list[Row]
    closed: str


def _proposal(url: str, parts: Mapping[str, float], revisit: bool = False) -> Proposal:
    cash = sum(parts.values())
    return Proposal(url=url, priority=Priority(score=cash), why=tuple(parts.items()), revisit=revisit)


def _added(old: Why, new: Why) -> Why:
    """Parts of the same name together."""
    parts = dict(old)
    for name, value in new:
        parts[name] = parts.get(name, 0.0) + value
    return tuple(parts.items())
