"""What a suite is: cases by somebody else, how many of them we agree with, and why not with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parents[3] / "shared" / "data" / "suites"

AGREED = ""
Verdicts = Iterator[str]
"""One a case: ``AGREED``, the reason why we differ on purpose, or what nobody has explained yet."""


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Cases of one kind, and what is expected of them: regressions and improvements both fail the test."""

    name: str
    what: str
    """How a case is judged."""
    source: str
    """Where the cases are, below ``DATA``."""
    judge: Callable[[Path], Verdicts]
    agreed: int
    accepted: Mapping[str, int]
    """Differences that we accept, by their reason."""

    @property
    def total(self) -> int:
        return self.agreed + sum(self.accepted.values())

    def expected(self) -> Counter[str]:
        return Counter({AGREED: self.agreed, **self.accepted})

    def measured(self) -> Counter[str]:
        return Counter(self.judge(DATA / self.source))
