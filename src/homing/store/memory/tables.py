"""The lists and tables that hold a crawl in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from homing.model import Entry, Failure, Host, Judgement, Ranking, Reply, RobotsRecord, Standing, State
from homing.ports.storage import VisitKind


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVisit:
    """One kept reply: what a row of ``visits`` is in the catalog."""

    step: int
    kind: VisitKind
    entry: Entry
    """As it stood when the page was received."""
    status: int
    judgement: Judgement | None
    fingerprint: int | None
    """``None`` where no page was read."""
    reply: Reply | None
    """``None`` where bodies are not kept."""


class MemoryTables:
    """What the three ports of the memory store share.

    Parameters
    ----------
    bodies
        Keep the replies themselves, for ``visits_since``. Without them a visit takes about one kilobyte.
    """

    def __init__(self, *, bodies: bool = True) -> None:
        self.visits: list[KeptVisit] = []
        """Every kept reply in order: the trace of the crawl."""
        self.abandoned: list[tuple[int, Failure]] = []
        """(seq, failure) of URLs that were settled without a reply."""
        self.robots: dict[str, RobotsRecord] = {}
        self.facts: dict[str, object] = {}
        self._bodies = bodies
        self._entries: list[Entry] = []
        self._host_of: list[int] = []
        self._standings: list[Standing] = []
        self._hosts: list[Host] = []
        self._asked: Counter[int] = Counter()
        self._retry_at: dict[int, float] = {}
        self._links: dict[int, tuple[int, ...]] = {}
        self._scores: dict[int, float] = {}
        self._labels: dict[int, bool] = {}
        self._strategy: tuple[int, State] | None = None
        self._ranking: Ranking | None = None
