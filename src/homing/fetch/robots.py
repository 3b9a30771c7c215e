"""What a robots.txt says, as a pure function of its text (RFC 9309)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from protego import Protego

from homing.model import RobotsRecord
from homing.urls import canonical

MAX_BYTES = 512 * 1024
"""How much of a robots.txt is read; RFC 9309 asks for 500 KiB at least."""
MAX_AGE = 24 * 3600.0
"""Seconds after which a host is asked again."""
MAX_SITEMAPS = 100

_CLOCK_DRIFT = 300.0

_USER_AGENT = re.compile(r"^[ \t]*user[- ]?agent(?:[ \t]*:|[ \t])([^\n#]*)", re.IGNORECASE | re.MULTILINE)


class Rules:
    """What one robots.txt lets one robot do.

    >>> rules = Rules('''
    ...     User-agent: *
    ...     Disallow: /
    ...     User-agent: homing
    ...     Disallow: /private/
    ...     Crawl-delay: 5
    ...     Sitemap: https://example.org/map.xml
    ... ''', "homing")
    >>> rules.allows("https://example.org/"), rules.allows("https://example.org/private/x")
    (True, False)
    >>> rules.delay, rules.sitemaps("https://example.org")
    (5.0, ('https://example.org/map.xml',))
    """

    def __init__(self, text: str, product: str) -> None:
        self._product = product.lower()
        self._parsed = Protego.parse(_address(text, self._product))

    def allows(self, url: str) -> bool:
        return bool(self._parsed.can_fetch(url, self._product))

    @property
    def delay(self) -> float | None:
        """The Crawl-delay in seconds, if there is one."""
        return self._parsed.crawl_delay(self._product)

    def sitemaps(self, origin: str) -> tuple[str, ...]:
        """The sitemaps it names, as canonical URLs, each once."""
        found = (canonical(named, origin + "/robots.txt") for named in self._parsed.sitemaps)
        return tuple(dict.fromkeys(url for url in found if url))[:MAX_SITEMAPS]


def rules_of(record: RobotsRecord, product: str) -> Rules:
    """The rules in what a host answered. No robots.txt (4xx, endless redirects) means: as you please."""
    return Rules(record.text if 200 <= record.status < 300 else "", product)


def is_unreachable(status: int) -> bool:
    """Whether that answer means: no rules to be had now, so ask for nothing and try again later.

    5xx by RFC 9309. A 429 is a 4xx, but "too many requests" is no leave to make more.
    """
    return status == 0 or status == 429 or status >= 500


def is_fresh(record: RobotsRecord, wall: float) -> bool:
    """Whether a remembered answer may still be used. One from the future is of a clock that jumped."""
    return -_CLOCK_DRIFT < wall - record.fetched_at < MAX_AGE and not is_unreachable(record.status)


def read(body: bytes) -> str:
    """The text of a robots.txt, whatever its bytes: as far as we read, by its byte order mark or as UTF-8."""
    if len(body) > MAX_BYTES:
        # Half a rule is another rule.
        body = body[: body.rfind(b"\n", 0, MAX_BYTES) + 1]
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    for length in (3, 2, 1):
        # Google's specification tests have marks that were cut short, too.
        if body.startswith(BOM_UTF8[:length]):
            body = body[length:]
            break
    return body.decode("utf-8", "replace")


def _address(text: str, product: str) -> str:
    """The same rules, with every group addressed to us, to all, or to someone else.

    RFC 9309 has groups match the whole product token. Protego takes any beginning of it, so that a group
    for "ho" would bind "homing"; and "Foo Bar" or "Foo/1.2" for no one.
    """

    def readdress(line: re.Match[str]) -> str:
        words = re.split(r"[\s/]", line[1].strip().lower(), maxsplit=1)
        token = words[0].rstrip("*") or words[0]
        return f"user-agent: {token if token in (product, '*') else '/'}"

    return _USER_AGENT.sub(readdress, text.replace("\r\n", "\n").replace("\r", "\n"))
