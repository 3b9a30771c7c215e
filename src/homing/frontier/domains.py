"""Registered domains: how many pages the hosts of one may give together.

The user may set a quota (``pages_per_domain``). Beside it every domain has an allowance, which it spends with
each page and earns with pages that show a site of limited size. A farm generates a page for every URL, with
new text and new links on each: hosts (``x7.farm.example``), folders or numbers without end. No single page of
it differs from one of a good site. What differs is growth: each page of a farm brings more URLs that are new,
and no page leads to URLs that another page has shown already. On sites made by people pages link to each
other's links (menus, lists, chapters), or stop linking to anything new.

So a page earns its domain ``EARNED`` pages if it is new and shows hardly any unknown URLs of the domain, or
confirms enough of those that are known: it is the second page to link to them. A domain that has spent its
allowance is held back: its URLs stay queued, a few of them are fetched as probes while the crawl goes on and
once more before it ends, and a probe that earns something opens it again.
"""

from __future__ import annotations

import math

ALLOWANCE = 60
"""Pages of a domain before it has to have earned some. A site that is a tree of ten links a page, none of
them shown twice, has 600 pages by then."""
EARNED = 3
"""Pages earned by a page: two thirds of the pages of a domain may show nothing but unknown links."""
FEW = 1
"""Maximum unknown URLs on a page that earns anything: with so few a farm would not grow."""
EARNED_BY_MISSING = 2
"""Pages earned by a URL without a page (404, 410): its own cost, and another, as farms answer everything."""
EARNED_BY_ERROR = 1
"""Pages earned by any other error: its own cost."""
EARNED_BY_DUPLICATE = -1
"""Pages lost by a near-duplicate of an earlier page, beside its own cost; by a proven domain, none."""
PROVEN = 120
"""Allowance from which a domain is proven: it is no farm, though parts of it may repeat themselves."""
CONFIRMED_SHARE = 0.25
"""Minimum of URLs confirmed for each unknown one."""
SAVINGS = 1_000
"""Maximum allowance: a large good site that becomes a farm is held back after this many pages."""
PROBES = 32
"""Maximum pages fetched from a domain while it is held back, until one of them earns something."""
PROBE_EVERY = 10
"""Pages of all other domains between two probes."""


def earned(born: int, confirmed: int) -> int:
    """Return what a new page earns its domain.

    Parameters
    ----------
    born
        URLs of the domain that were unknown before the page linked to them.
    confirmed
        URLs of the domain that one other page has linked to before.

    Examples
    --------
    >>> earned(born=12, confirmed=0), earned(born=12, confirmed=3), earned(born=1, confirmed=0)
    (0, 3, 3)
    """
    return EARNED if born <= FEW or confirmed >= CONFIRMED_SHARE * born else 0


class Domain:
    """The hosts of one registered domain, and the pages they may still give together.

    Every request in flight may bring a page, so it is deducted when it is sent.
    """

    __slots__ = ("allowance", "hosts", "is_full", "is_proven", "left", "name", "probes")

    def __init__(self, name: str, *, quota: int | None, has_allowance: bool) -> None:
        self.name = name
        self.left = math.inf if quota is None else float(quota)
        """Of the user's quota."""
        self.allowance = float(ALLOWANCE) if has_allowance else math.inf
        self.probes = PROBES
        """How many more may be sent."""
        self.is_full = False
        self.is_proven = False
        self.hosts: set[int] = set()
        """Numbers of its hosts."""

    @property
    def is_held_back(self) -> bool:
        """Is it full by its allowance alone?"""
        return self.allowance <= 0 < self.left

    def spend(self, pages: int) -> None:
        """Deduct pages; a negative number gives them back."""
        self.left -= pages
        self.allowance -= pages
        self.is_full = self.left <= 0 or self.allowance <= 0

    def earn(self, pages: int) -> None:
        """Change the allowance by what a page has earned or lost; after a gain, probes may be sent again."""
        if pages > 0:
            self.probes = PROBES
        elif self.is_proven:
            pages = 0
        self.allowance = min(self.allowance + pages, max(self.allowance, SAVINGS))
        self.is_proven = self.is_proven or self.allowance >= PROVEN
        self.is_full = self.left <= 0 or self.allowance <= 0

    def probe(self) -> None:
        """Let one page be fetched although the domain is held back."""
        self.probes -= 1
        self.allowance = 1.0
        self.is_full = self.left <= 0
