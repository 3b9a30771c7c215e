"""Traps: sites that generate pages as fast as they are fetched.

Endless calendars, a new session on every page, names that answer whatever they are: what they have in common
is that page after page brings nothing new. A site that generates pages spells their URLs by a rule: a number
counts up, a folder is hung into itself, a parameter is added. URLs of one rule have one pattern
(``pattern_of``). So a crawl keeps, for every pattern and for every site, how many pages were new and how many
were near-duplicates of earlier ones, or missing. Where the latter outnumber the former by more than an
allowance, the pattern or the site is closed. The counts fade, so that a trap on a large good site is closed
as well.
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
SITE_ALLOWANCE = 35
_PATTERN_FADES, _SITE_FADES = 0.98, 0.99
"""Weight left to earlier pages after each new one: the last fifty of a pattern decide, hundred of a site."""
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
    """Pages of a pattern or a site: how many were new, how many were wasted."""

    new: float = 0.0
    wasted: float = 0.0

    def add(self, *, is_new: bool, fades: float, allowance: float) -> bool:
        """Count a page; return whether most pages have been wasted."""
        self.new = self.new * fades + is_new
        self.wasted = self.wasted * fades + (not is_new)
        return self.wasted >= allowance + self.new


class Traps:
    """Tells which URLs are not worth a request, from what similar URLs gave.

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
        """Links that were not followed, by reason."""
        self._patterns: dict[str, Yield] = {}
        self._sites: dict[str, Yield] = {}
        self._prints: dict[str, array[int]] = {}
        self._closed: set[str] = set()
        """Patterns and sites that have given too little."""
        self._suspects: set[str] = set()
        """Hosts with something closed: only their URLs need a look at the pattern."""

    def meet(self, url: str, fingerprint: int | None) -> None:
        """Note a page that was fetched; without a fingerprint, a response that there is none."""
        name, pattern = host(url), pattern_of(url)
        domain = site(name)
        is_new = fingerprint is not None and self._is_new(domain, fingerprint)
        of_pattern = self._patterns.pop(pattern, None) or Yield()
        self._patterns[pattern] = of_pattern  # the latest
        if len(self._patterns) > _MAX_PATTERNS:
            self._forget_oldest()
        of_site = self._sites.setdefault(domain, Yield())
        if of_pattern.add(is_new=is_new, fades=_PATTERN_FADES, allowance=PATTERN_ALLOWANCE):
            self._closed.add(pattern)
            self._suspects.add(name)
        if of_site.add(is_new=is_new, fades=_SITE_FADES, allowance=SITE_ALLOWANCE):
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

        The pattern is looked up only where something of the host is closed; the site, when the URL is leased.
        """
        is_suspect = self._suspects and host(url) in self._suspects
        reason = self.refusal(url) if is_suspect else winding(url)
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
