"""Traps: sites that make up pages as fast as they are asked for them.

Calendars without an end, a new session on every page, names that answer whatever they are: what they have
in common is that page after page brings nothing new. So a crawl keeps, for every pattern of URLs and for
every site, how many pages were new and how many were near-duplicates of what that site had given before, or
not there at all. Where the latter outnumber the former by more than an allowance, no more is asked for. The
counts fade, so that a trap on a large good site is closed as well.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from homing.crawler.traps.patterns import pattern_of, winding
from homing.urls import host, site

NEAR = 6
"""Fingerprints that differ in no more bits are of near-duplicates: two words in a hundred differ."""
PATTERN_ALLOWANCE = 10
SITE_ALLOWANCE = 35
_PATTERN_FADES, _SITE_FADES = 0.98, 0.99
"""What earlier pages count after each further one: the last fifty of a pattern, or hundred, decide."""
_REMEMBERED = 4_096
"""Pages of a site that a new one is compared with: the latest."""
_MAX_PATTERNS = 5_000
"""Patterns that are remembered, those met last: a trap is one that is met again and again."""


class Yield(Struct):
    """What a pattern or a site has given."""

    new: float = 0.0
    wasted: float = 0.0

    def add(self, *, is_new: bool, fades: float) -> None:
        self.new = self.new * fades + is_new
        self.wasted = self.wasted * fades + (not is_new)

    def is_spent(self, allowance: float) -> bool:
        return self.wasted >= allowance + self.new


class Traps:
    """Knows which URLs are not worth asking for, by what URLs like them have given.

    Examples
    --------
    >>> traps = Traps()
    >>> for day in range(1, 15):
    ...     traps.meet(f"http://a.org/calendar/{day}", fingerprint=7)
    >>> traps.refusal("http://a.org/calendar/15")
    'near-duplicates under a.org/calendar/*'
    >>> traps.refusal("http://a.org/moths/1"), traps.refusal("http://a.org/a/b/a/b/a/b/")
    ('', 'repeated folders')
    """

    def __init__(self) -> None:
        self._cut: Counter[str] = Counter()
        """How many links were not followed, and why."""
        self._patterns: dict[str, Yield] = {}
        self._sites: dict[str, Yield] = {}
        self._prints: dict[str, array[int]] = {}
        self._closed: set[str] = set()
        """Patterns, and sites, that have given too little."""
        self._suspects: set[str] = set()
        """Hosts of which something is closed: the URLs of all others need no look at their pattern."""

    def meet(self, url: str, fingerprint: int | None) -> None:
        """A page has arrived; without a fingerprint, an answer that there is none."""
        name, pattern = host(url), pattern_of(url)
        domain = site(name)
        is_new = fingerprint is not None and self._is_new(domain, fingerprint)
        of_pattern = self._patterns.pop(pattern, None) or Yield()
        self._patterns[pattern] = of_pattern  # the latest
        if len(self._patterns) > _MAX_PATTERNS:
            self._forget_oldest()
        of_site = self._sites.setdefault(domain, Yield())
        of_pattern.add(is_new=is_new, fades=_PATTERN_FADES)
        of_site.add(is_new=is_new, fades=_SITE_FADES)
        if of_pattern.is_spent(PATTERN_ALLOWANCE):
            self._closed.add(pattern)
            self._suspects.add(name)
        if of_site.is_spent(SITE_ALLOWANCE):
            self._closed.add(domain)
            self._suspects.add(name)

    def load(self, pages: Iterable[tuple[str, int | None]], cut: Mapping[str, int]) -> None:
        """Meet the pages of earlier runs again, in order, and take over how many links were cut."""
        for url, fingerprint in pages:
            self.meet(url, fingerprint)
        self._cut.update(cut)

    def cut(self, count: int) -> dict[str, int]:
        """Return how many links were not followed, by reason; only the ``count`` most frequent reasons."""
        return dict(self._cut.most_common(count))

    def refusal(self, url: str) -> str:
        """Return why a queued URL is not worth a request; empty if it is."""
        if reason := winding(url):
            return reason
        if not self._closed:
            return ""
        domain = site(host(url))
        if domain in self._closed:
            return f"near-duplicates all over {domain}"
        pattern = pattern_of(url)
        return f"near-duplicates under {pattern}" if pattern in self._closed else ""

    def lets_pass(self, url: str) -> bool:
        """May a link that was just found be followed? Those that may not are counted.

        The pattern is looked up only where something of the host is closed, and the site when it is leased.
        """
        is_suspect = self._suspects and host(url) in self._suspects
        reason = self.refusal(url) if is_suspect else winding(url)
        if reason:
            self._cut[reason] += 1
        return not reason

    def _forget_oldest(self) -> None:
        """Of half the patterns, those that were not met for longest. What is closed stays closed."""
        for pattern in list(self._patterns)[: _MAX_PATTERNS // 2]:
            del self._patterns[pattern]

    def _is_new(self, domain: str, fingerprint: int) -> bool:
        known = self._prints.setdefault(domain, array("Q"))
        differing = np.bitwise_count(np.frombuffer(known, np.uint64) ^ np.uint64(fingerprint))
        is_new = not len(known) or int(differing.min()) > NEAR
        if is_new:
            if len(known) >= _REMEMBERED:
                del known[: _REMEMBERED // 2]
            known.append(fingerprint)
        return is_new
