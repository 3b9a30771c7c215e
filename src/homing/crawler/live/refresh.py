"""Refreshing a crawl: the engine fetches pages again that are due, and nothing else.

Requests are as polite as ever, and conditional on what the host sent before (ETag, Last-Modified). Changed
pages are judged and archived again, redirects are followed, and pages that are gone are marked; the index
follows the catalog in all of that. New links are left to the next ``homing crawl``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from homing.crawler.engine import Engine
from homing.crawler.events import Answered, Event, Missed, Noted, Postponed, Redirected, Visited
from homing.crawler.live.freshness import Due
from homing.crawler.outcomes import NOT_THERE
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters, Limits
from homing.crawler.view import DUE, LAST_DUE
from homing.model import Priority, Proposal
from homing.ports import Frontier

_STEPS = 1_000
"""Chances of change are distinguished to one in a thousand."""

OUTCOMES = ("changed", "unchanged", "gone", "moved", "failed", "new")
"""Gone is 404 or 410. A page that has moved was fetched from its new URL, and is new if it was never fetched
there. Failed is no response, or another error; the next refresh tries it again."""

PATIENCE = 65.0
"""Seconds to wait for a host: none has a longer delay, but one that fails is left alone for longer."""


class Refreshed:
    """The outcomes of a refresh; a listener of the crawl. The last outcome of each URL counts."""

    def __init__(self, pages: Iterable[Due]) -> None:
        self._digests = {each.history.url: each.history.digest for each in pages}
        self._outcomes: dict[str, str] = {}

    def __call__(self, event: Event) -> None:
        """Note what became of a page."""
        match event:
            case Visited(visit=visit):
                known = self._digests.get(visit.entry.url)
                is_same = known == visit.page.digest
                self._outcomes[visit.entry.url] = (
                    "new" if known is None else "unchanged" if is_same else "changed"
                )
            case Noted(name="unchanged", detail=url):
                self._outcomes[url] = "unchanged"
            case Redirected(entry=entry):
                self._outcomes[entry.url] = "moved"
            case Answered(entry=entry, reply=reply) if reply.status in NOT_THERE:
                self._outcomes[entry.url] = "gone"
            case Answered(entry=entry) | Missed(entry=entry) | Postponed(entry=entry):
                self._outcomes[entry.url] = "failed"

    def figures(self) -> dict[str, int]:
        """Return how many pages were due, and how many fetched URLs had each outcome."""
        counts = Counter(self._outcomes.values())
        return {"due": len(self._digests), **{name: counts[name] for name in OUTCOMES}}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlyDue(Limits):
    """Ends a refresh when no URL that is due is queued, or only at hosts that must be left alone."""

    def reached(self, counters: Counters, frontier: Frontier, now: float) -> str:
        if frontier.leased:
            return ""
        best = frontier.head(1)
        is_due = bool(best) and frontier.urls.priority_of(best[0]).tier <= LAST_DUE
        return "" if is_due and not frontier.is_stuck(before=now + PATIENCE) else "refreshed"


def refresh(engine: Engine, parts: Parts, pages: Iterable[Due]) -> Refreshed:
    """Make an engine that was just opened fetch these pages again, and nothing else."""
    pages = list(pages)
    refreshed = Refreshed(pages)
    parts.frontier.hosts.lift_quotas()  # first: a full host ignores offers
    parts.frontier.last_tier = LAST_DUE
    engine.offers.again(
        Proposal(
            url=each.history.url,
            priority=Priority(tier=DUE + round((1 - each.chance) * _STEPS)),
            why=(("chance of change", each.chance),),
        )
        for each in pages
    )
    requests = engine.requests
    requests.limits = OnlyDue(concurrency=requests.limits.concurrency)
    engine.listeners += refreshed, partial(_uncharge, engine.counters)
    parts.traps = None  # a page that has not changed is a near-duplicate of itself
    return refreshed


def _uncharge(counters: Counters, event: Event) -> None:
    """Take a fetch off the budget: a crawl that stays fresh is not stopped for that by its limit."""
    match event:
        case Visited() | Answered() | Noted(name="unchanged"):
            counters.refreshed += 1
        case _:
            pass
