"""Accounts of pages already fetched: the cash that has reached them since."""

from __future__ import annotations

import heapq
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from homing.urls import key

_LINKS_KEPT = 20
"""Links kept of a fetched page, the heaviest: 10,000 pages take some 30 MB."""
_DIGITS = 4
"""Digits kept of a weight: they make up half of the state."""

Row = tuple[str, float, float, list[tuple[str, float]]]
"""An account as it is saved: URL, cash, relevance, links."""


class Account(Struct):
    """A fetched page: the cash that has reached it since, its relevance, and the weights of its links."""

    cash: float
    relevance: float
    links: list[tuple[str, float]]


class Accounts:
    """The pages already fetched: an account for each of the richest, and the keys of all others.

    A new page always gets an account; when there is no room, the poorest are closed, the oldest first.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._open: dict[str, Account] = {}
        self._closed = array("q")
        """Keys of pages whose accounts were closed, sorted: eight bytes a page."""

    def get(self, url: str) -> Account | None:
        return self._open.get(url)

    def is_closed(self, url: str) -> bool:
        if not self._closed:
            return False
        number = key(url)
        place = bisect_left(self._closed, number)
        return place < len(self._closed) and self._closed[place] == number

    def total(self) -> float:
        return sum(account.cash for account in self._open.values())

    def richest(self) -> tuple[str, Account]:
        return max(self._open.items(), key=lambda item: item[1].cash)

    def take(self, url: str) -> float:
        """Close the account of a page that is fetched again; return its cash."""
        account = self._open.pop(url, None)
        return account.cash if account else 0.0

    def open(self, url: str, relevance: float, links: Mapping[str, float]) -> float:
        """Open an account for a fetched page; return the cash of accounts closed to make room."""
        heaviest = heapq.nlargest(_LINKS_KEPT, links.items(), key=lambda item: item[1])
        kept = [(each, round(weight, _DIGITS)) for each, weight in heaviest]
        self._open[url] = Account(cash=0.0, relevance=relevance, links=kept)
        if len(self._open) <= self.size:
            return 0.0
        # Many at once, as finding the poorest is slow.
        room = max(1, self.size // 10)
        poorest = heapq.nsmallest(room, list(self._open)[:-1], key=lambda each: self._open[each].cash)
        closed = np.array([key(each) for each in poorest], dtype=np.int64)
        self._closed = array("q", np.union1d(np.array(self._closed, dtype=np.int64), closed).tobytes())
        return sum(self._open.pop(each).cash for each in poorest)

    def state(self) -> dict[str, object]:
        opened = [[url, each.cash, each.relevance, each.links] for url, each in self._open.items()]
        return {"open": opened, "closed": b64encode(self._closed.tobytes()).decode()}

    def restore(self, opened: Iterable[Row], closed: str) -> None:
        self._open = {
            url: Account(cash=cash, relevance=relevance, links=links)
            for url, cash, relevance, links in opened
        }
        self._closed = array("q", b64decode(closed))
