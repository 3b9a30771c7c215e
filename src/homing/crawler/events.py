"""What a crawl tells while it runs: events, and the counters that add them up.

The engine emits events to its listeners: the counters behind the terminal panel, the log, an ``async for``
over the visits. Listeners are called between two turns, one event at a time, on the event loop or in the
engine's thread, and must be quick.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from homing.model import Entry, Failure, Reply, Visit
from homing.ports import Frontier

RECENT = 100
"""How many pages make "now", and tell what the next hundred may bring."""
YOUNG = 200
"""Pages before which a run does not foretell anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A page was fetched, judged and kept."""

    visit: Visit
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A final response that is no page: an error status, or a type we do not parse."""

    entry: Entry
    reply: Reply
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A URL led to another."""

    entry: Entry
    status: int
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A URL was abandoned."""

    entry: Entry
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """An attempt failed; there will be another."""

    entry: Entry
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Anything else worth a line in the log."""

    name: str
    detail: str = ""


Event = Visited | Answered | Redirected | Missed | Postponed | Noted
Listener = Callable[[Event], None]


@dataclass(slots=True)
class Counters:
    """The figures of a crawl as it runs; totals over all its runs."""

    pages: int = 0
    relevant: int = 0
    redirects: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    frontier: int = 0
    hosts: int = 0
    last_title: str = ""
    """Title of the last relevant page."""
    last_url: str = ""
    last_trouble: str = ""
    """What failed last, and whether it will be tried again."""
    doubt: str = ""
    """Why the judgements may be wrong, if there is reason to think so."""
    stop_reason: str = ""
    started_with: int = 0
    """Pages fetched by earlier runs."""
    seconds_before: float = 0.0
    """How long earlier runs have lasted."""
    run_seconds: float = 0.0
    """How long this run has lasted."""
    _lately: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))

    @property
    def seconds(self) -> float:
        """How long all runs have lasted."""
        return self.seconds_before + self.run_seconds

    @property
    def harvest_rate(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def harvest_now(self) -> float:
        return sum(self._lately) / len(self._lately) if self._lately else 0.0

    @property
    def expected_yield(self) -> float | None:
        """Relevant pages to be expected of the next hundred; ``None`` where a run is too young to tell.

        As many as of the last hundred: the best URLs are asked first, so that it seldom gets better. A crawl
        that has found nothing yet is on its way, and nothing is expected of it.
        """
        if self.pages - self.started_with < YOUNG or not self.relevant:
            return None
        return 100 * self.harvest_now

    @property
    def pages_per_second(self) -> float:
        return (self.pages - self.started_with) / self.run_seconds if self.run_seconds else 0.0

    def count(self, frontier: Frontier, run_seconds: float) -> None:
        """Take over what is known without an event."""
        self.frontier, self.hosts, self.run_seconds = frontier.queued, len(frontier.hosts), run_seconds

    def __call__(self, event: Event) -> None:
        """Count an event."""
        match event:
            case Visited(visit=visit):
                self.pages += 1
                self._lately.append(visit.judgement.relevant)
                if visit.judgement.relevant:
                    self.relevant += 1
                    self.last_title, self.last_url = visit.page.title, visit.entry.url
            case Answered():
                self.pages += 1
                self._lately.append(False)
            case Redirected():
                self.redirects += 1
            case Missed(failure=failure):
                self.failed[failure.kind] += 1
                self.last_trouble = f"{failure.url}: {failure.kind}, {failure.detail}"
            case Postponed(failure=failure):
                again = f"again in {failure.retry_in:.0f} s"
                self.last_trouble = f"{failure.url}: {failure.kind}, {failure.detail}; {again}"
            case Noted(name="doubt", detail=detail):
                self.doubt = detail
            case Noted():
                pass
