"""What every store of visits shares: begin here to write another one.

``catalog`` keeps a crawl on disk, ``memory`` for the length of a process. Both are the three ports of
``homing.ports`` in one object; ``homing.checks.store`` tells whether a new one keeps their promises.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from homing.model import Entry, Judgement, Page, Reply, Standing

VisitKind = Literal["page", "redirect", "sitemap", "unchanged"]


def visit_kind(entry: Entry, status: int, standing: Standing) -> VisitKind:
    """Return what a reply counts as: only a ``page`` counts as fetched."""
    if entry.kind == "sitemap":
        return "sitemap"
    if standing is Standing.REDIRECTED:
        return "redirect"
    return "unchanged" if status == 304 else "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVisit:
    """A reply that is to be kept, and all that is known of it."""

    reply: Reply
    entry: Entry
    """As it stood when the reply was received."""
    step: int
    kind: VisitKind
    page: Page | None
    """``None`` where nothing was parsed."""
    judgement: Judgement | None

    @property
    def digest(self) -> str:
        """The digest of the page's words, or of the body where there are none."""
        known = self.page.digest if self.page is not None else ""
        return known or self.reply.digest


class BaseVisitStore(ABC):
    """Turns what the engine knows of a reply into one ``NewVisit``."""

    def keep(
        self,
        reply: Reply,
        entry: Entry,
        *,
        step: int,
        page: Page | None,
        judgement: Judgement | None,
        standing: Standing,
    ) -> None:
        """Archive a reply and settle its URL; its priority, memo and tries are spent."""
        kind = visit_kind(entry, reply.status, standing)
        visit = NewVisit(reply=reply, entry=entry, step=step, kind=kind, page=page, judgement=judgement)
        self._keep_visit(visit, standing)

    @abstractmethod
    def _keep_visit(self, visit: NewVisit, standing: Standing) -> None:
        """Write down a visit, and settle its URL."""
