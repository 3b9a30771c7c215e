"""How far a crawl has come, and when it is over: its counters, and the limits on them."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

from homing.crawler.events import Answered, Event, Missed, Noted, Postponed, Redirected, Visited
from homing.model import Entry
from homing.ports import Frontier

RECENT = 100
"""Pages that make "now", and predict the next hundred."""
YOUNG = 200
"""Pages of a run before anything is predicted from them."""
HOSTS_FULL = "hosts full"
"""Why a crawl is over whose queued URLs are all on hosts that may give no more."""
CROWD = 4
"""Maximum of requests in flight as a multiple of ``concurrency``, stragglers included."""


@dataclass(slots=True)
class Counters:
    """The figures of a crawl as it runs; totals over all its runs."""

    pages: int = 0
    """URLs that have given a page, or another final reply; each counts once, however often it is fetched."""
    relevant: int = 0
    """How many of them hold a relevant page."""
    steps: int = 0
    """Final replies with a content of their own, and so the step of the last page."""
    unchanged: int = 0
    """Revisits answered with "not modified"."""
    refreshed: int = 0
    """Fetches by ``homing refresh``, which cost none of the budget."""
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
    """Fetches of earlier runs."""
    seconds_before: float = 0.0
    """How long earlier runs have lasted."""
    run_seconds: float = 0.0
    """How long this run has lasted."""
    damage: list[str] = field(default_factory=list)
    """What was left out or set aside when the crawl was opened, a line each."""
    _lately: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))

    @property
    def seconds(self) -> float:
        """How long all runs have lasted."""
        return self.seconds_before + self.run_seconds

    @property
    def fetches(self) -> int:
        """Final replies, those to revisits included: the page again and "not modified" count alike."""
        return self.steps + self.unchanged

    @property
    def spent(self) -> int:
        """The part of the budget that is spent: a page fetched twice costs two requests."""
        return self.steps + self.unchanged - self.refreshed

    @property
    def harvest_rate(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def harvest_now(self) -> float:
        return sum(self._lately) / len(self._lately) if self._lately else 0.0

    @property
    def expected_yield(self) -> float | None:
        """Relevant pages expected of the next hundred; ``None`` where a run is too young to tell.

        As many as of the last hundred: the best URLs are fetched first, so the yield seldom rises. A revisit
        yields nothing. A crawl that has found nothing yet may still be on its way, and nothing is expected of
        it.
        """
        if self.fetches - self.started_with < YOUNG or not self.relevant:
            return None
        return 100 * self.harvest_now

    @property
    def pages_per_second(self) -> float:
        return (self.fetches - self.started_with) / self.run_seconds if self.run_seconds else 0.0

    def size(self, frontier: Frontier) -> None:
        """Take over how large the frontier is, which no event tells."""
        self.frontier, self.hosts = frontier.queued, len(frontier.hosts)

    def __call__(self, event: Event) -> None:
        """Count an event."""
        match event:
            case Visited(visit=visit):
                self._count(visit.entry, visit.judgement.relevant)
                if visit.judgement.relevant:
                    self.last_title, self.last_url = visit.page.title, visit.entry.url
            case Answered(entry=entry):
                self._count(entry, False)
            case Redirected(entry=entry):
                self.redirects += 1
                self._count(entry, None)
            case Noted(name="unchanged"):
                self.unchanged += 1
                self._lately.append(False)
            case Missed(failure=failure):
                self.failed[failure.kind] += 1
                self.last_trouble = f"{failure.url}: {failure.kind}, {failure.detail}"
            case Postponed(failure=failure):
                again = f"again in {failure.retry_in:.0f} s"
                self.last_trouble = f"{failure.url}: {failure.kind}, {failure.detail}; {again}"
            case Noted(name="doubt", detail=detail):
                self.doubt = detail
            case Noted(name="damage", detail=detail):
                self.damage.append(detail)
            case Noted():
                pass

    def _count(self, entry: Entry, relevant: bool | None) -> None:
        """Count what a URL holds now, in place of what it counted as; ``None``: it only leads elsewhere."""
        if entry.relevant is not None:
            self.pages -= 1
            self.relevant -= entry.relevant
        if relevant is not None:
            self._lately.append(relevant and not entry.relevant)
            self.steps += 1
            self.pages += 1
            self.relevant += relevant


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a crawl is over. Totals over all its runs; ``None`` is no limit."""

    concurrency: int = 64
    """Requests in flight, apart from stragglers."""
    pages: int | None = None
    """Fetches, revisits included."""
    relevant: int | None = None
    """Relevant pages, each once."""
    seconds: float | None = None
    yield_below: float | None = None
    """Stop when fewer relevant pages than this are expected of the next hundred."""

    def room(self, counters: Counters, in_flight: int, stragglers: int = 0) -> bool:
        """May one more request be sent? All that is in flight may become pages, and the limit holds for them.

        ``stragglers`` of those in flight have taken long and do not count: otherwise hosts that never respond
        would soon hold every place. With one place only they do, so that the crawl can be repeated.
        """
        most = self.concurrency if self.concurrency == 1 else CROWD * self.concurrency
        if counters.stop_reason or in_flight - stragglers >= self.concurrency or in_flight >= most:
            return False
        return self.pages is None or counters.spent + in_flight < self.pages

    def reached(self, counters: Counters, frontier: Frontier, now: float) -> str:
        """Return why the crawl is over, in a word or two; empty if it is not."""
        if self.pages is not None and counters.spent >= self.pages:
            return "pages"
        if self.relevant is not None and counters.relevant >= self.relevant:
            return "relevant"
        if self.seconds is not None and counters.seconds >= self.seconds:
            return "minutes"
        if self.yield_below is not None:
            expected = counters.expected_yield
            if expected is not None and expected < self.yield_below:
                return "yield"
        if frontier.leased:
            return ""
        if not frontier.queued:
            return "frontier empty"
        if frontier.is_stuck():
            return HOSTS_FULL
        return ""
