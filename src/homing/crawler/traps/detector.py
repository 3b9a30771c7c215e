"""Traps: URLs that a site generates without end, and whose pages bring nothing new.

Endless calendars, a new session on every page, names that answer whatever they are. A site that generates
pages spells their URLs by a rule: a number counts up, a folder is hung into itself, a parameter is added.
URLs of one rule have one pattern (``pattern_of``). So a crawl counts, for every pattern, the pages that were
new and those that were near-duplicates of earlier pages of the site. Where the latter outnumber the former by
more than an allowance, the pattern is closed. The counts fade, so that a trap on a large good site is closed
as well. Now and then a URL of a closed pattern is fetched as a probe; if it is new, the pattern opens again.

Sites that generate new text on every page are no near-duplicates of anything; for them every registered
domain has an allowance of pages (``frontier/domains.py``). A response that there is no page (404) says
nothing against a site: pages link to dead ones everywhere.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from homing.urls import host, site

NEAR = 6
"""Fingerprints that differ in no more bits are of near-duplicates: two words in a hundred differ."""
PATTERN_ALLOWANCE = 10
_FADES = 0.98
"""Weight left to earlier pages after each new one: the last fifty of a pattern decide."""
_FIRST_PROBE = 20
"""URLs of a closed pattern that are refused before one is fetched; then twice as many each time."""
_REMEMBERED = 4_096
"""Latest pages of a site that a new one is compared with."""
_MAX_PATTERNS = 5_000
"""Patterns remembered, those met last: a trap is met again and again."""

_TOKEN = re.compile(r"(?=.*\d)[0-9A-Za-z_-]{8,}")
"""A number, a hash, a session: long, and with a digit in it."""
_DIGITS = re.compile(r"\d+")
_MAX_FOLDERS = 20
_MAX_PARAMETERS = 12
_MAX_TIMES = 4
"""Maximum occurrences of one folder or parameter in a URL."""
_IN_A_ROW = 3
_LONGEST_ROUND = 4
"""Longest sequence of folders that is recognised when it repeats."""
_FEW_SLASHES = 5
"""A path with no more slashes cannot repeat itself; most URLs need no closer look."""


class Yield(Struct):
    """Pages of a pattern: how many were new, how many were wasted."""

    new: float = 0.0
    wasted: float = 0.0

    def add(self, *, is_new: bool) -> bool:
        """Count a page; return whether most pages have been wasted."""
        self.new = self.new * _FADES + is_new
        self.wasted = self.wasted * _FADES + (not is_new)
        return self.wasted >= PATTERN_ALLOWANCE + self.new


class Closed(Struct):
    """A closed pattern: how many of its URLs were refused, and when the next one is a probe."""

    refused: int = 0
    probe_at: int = _FIRST_PROBE

    def is_probe(self) -> bool:
        """Count a URL; return whether it is fetched all the same."""
        self.refused += 1
        if self.refused < self.probe_at:
            return False
        self.refused, self.probe_at = 0, 2 * self.probe_at
        return True


class Traps:
    """Tells which URLs are not worth a request, from what similar URLs gave.

    Examples
    --------
    >>> traps = Traps()
    >>> for day in range(1, 15):
    ...     is_new = traps.meet(f"http://a.org/calendar/{day}", fingerprint=7)
    >>> traps.refusal("http://a.org/calendar/15")
    'near-duplicates under a.org/calendar/*'
    >>> traps.refusal("http://a.org/moths/1"), traps.refusal("http://a.org/a/b/a/b/a/b/")
    ('', 'repeated folders')
    """

    def __init__(self) -> None:
        self._cut: Counter[str] = Counter()
        """Links that were not followed, by reason."""
        self._patterns: dict[str, Yield] = {}
        self._prints: dict[str, array[int]] = {}
        self._closed: dict[str, Closed] = {}
        """Patterns that have given too little."""
        self.reopened: list[str] = []
        """Patterns of which a probe was new, until their refused URLs are queued again."""
        self._suspects: set[str] = set()
        """Hosts with something closed: only their URLs need a look at the pattern."""

    def meet(self, url: str, fingerprint: int) -> bool:
        """Note a page that was fetched; return whether it is new."""
        name, pattern = host(url), pattern_of(url)
        is_new = self._is_new(site(name), fingerprint)
        found = self._patterns.pop(pattern, None) or Yield()
        self._patterns[pattern] = found  # the latest
        if len(self._patterns) > _MAX_PATTERNS:
            self._forget_oldest()
        is_wasted = found.add(is_new=is_new)
        if is_new and pattern in self._closed:
            del self._closed[pattern]
            found.wasted = found.new + PATTERN_ALLOWANCE / 2
            self.reopened.append(pattern)
        elif is_wasted and pattern not in self._closed:
            self._closed[pattern] = Closed()
            self._suspects.add(name)
        return is_new

    def load(self, pages: Iterable[tuple[str, int]], cut: Mapping[str, int]) -> None:
        """Meet the pages of earlier runs again, in order, and take over how many links were cut."""
        for url, fingerprint in pages:
            self.meet(url, fingerprint)
        self.reopened.clear()
        self._cut.update(cut)

    def cut(self, count: int) -> dict[str, int]:
        """Return how many links were not followed, by reason; only the ``count`` most frequent reasons."""
        return dict(self._cut.most_common(count))

    def refusal(self, url: str) -> str:
        """Return why a queued URL is not worth a request; empty if it is, or if it is fetched as a probe."""
        reason = winding(url)
        if reason or not self._closed:
            return reason
        pattern = pattern_of(url)
        closed = self._closed.get(pattern)
        if closed is None or closed.is_probe():
            return ""
        return f"near-duplicates under {pattern}"

    def lets_pass(self, url: str) -> bool:
        """May a link that was just found be followed? Those that may not are counted.

        The pattern is looked up only where something of the host is closed.
        """
        reason = winding(url)
        if not reason and self._suspects and host(url) in self._suspects:
            pattern = pattern_of(url)
            reason = f"near-duplicates under {pattern}" if pattern in self._closed else ""
        if reason:
            self._cut[reason] += 1
        return not reason

    def _forget_oldest(self) -> None:
        """Forget the half of the patterns that was met longest ago. What is closed stays closed."""
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


def pattern_of(url: str) -> str:
    """Return a canonical URL with what varies masked: numbers, tokens, values of parameters, the last name.

    >>> pattern_of("http://a.org/calendar/2026/12/03"), pattern_of("http://a.org/wiki/Moth")
    ('a.org/calendar/#/#/*', 'a.org/wiki/*')
    >>> pattern_of("http://a.org/shop/item-7?sid=9f86d081&page=2")
    'a.org/shop/item-#?page&sid'
    """
    address, _, query = url.partition("://")[2].partition("?")
    host, *folders, name = address.split("/") if "/" in address else (address, "")
    if query:
        # The name of a script says more than the name of a page.
        names = sorted({part.partition("=")[0] for part in query.split("&")})
        name = f"{_masked(name)}?{'&'.join(map(_masked, names))}"
    elif name:
        name = "*"
    return "/".join([host, *map(_masked, folders), name])


def winding(url: str) -> str:
    """Return what repeats itself in a canonical URL; empty if nothing does.

    >>> winding("http://a.org/news/img/news/img/news/img/")
    'repeated folders'
    >>> winding("http://a.org/?sort=up&sort=up"), winding("http://a.org/2011/11/11/11/fun?a=1&b=1")
    ('repeated parameters', '')
    """
    if url.count("/") > _FEW_SLASHES:
        folders = url.partition("://")[2].partition("?")[0].split("/")[1:-1]
        if len(folders) > _MAX_FOLDERS:
            return "too many folders"
        if len(set(folders)) < len(folders) and _goes_round(folders):
            return "repeated folders"
    if "&" in url:
        parameters = url.partition("?")[2].split("&")
        if len(parameters) > _MAX_PARAMETERS:
            return "too many parameters"
        if len(set(parameters)) < len(parameters) or _most_frequent(parameters) > _MAX_TIMES:
            return "repeated parameters"
    return ""


def _most_frequent(parameters: list[str]) -> int:
    """Return how often the most frequent name occurs among these parameters."""
    if len(parameters) <= _MAX_TIMES:
        return len(parameters)
    return max(Counter(part.partition("=")[0] for part in parameters).values())


def _goes_round(folders: list[str]) -> bool:
    """Do some folders follow themselves, or recur too often? Years and days may."""
    names = Counter(folder for folder in folders if not folder.isdigit())
    if max(names.values(), default=0) > _MAX_TIMES:
        return True
    for length in range(1, _LONGEST_ROUND + 1):
        for start in range(len(folders) - length * _IN_A_ROW + 1):
            first = folders[start : start + length]
            whole = folders[start : start + length * _IN_A_ROW]
            if whole == first * _IN_A_ROW and not all(map(str.isdigit, first)):
                return True
    return False


def _masked(part: str) -> str:
    return "#" if _TOKEN.fullmatch(part) else _DIGITS.sub("#", part)
