"""Parse a robots.txt (RFC 9309). Pure functions of its text; ``robots_cache`` fetches it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from protego import Protego

from homing.model import RobotsRecord
from homing.urls import canonical

MAX_BYTES = 512 * 1024
"""Maximum size read; RFC 9309 demands 500 KiB at least."""
MAX_AGE = 24 * 3600.0
"""Seconds after which a robots.txt is fetched again."""
MAX_SITEMAPS = 100

_CLOCK_DRIFT = 300.0

_USER_AGENT = re.compile(r"^[ \t]*user[- ]?agent(?:[ \t]*:|[ \t])([^\n#]*)", re.IGNORECASE | re.MULTILINE)


class Rules:
    """What one robots.txt allows one robot.

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
        """Return the sitemaps it names, as canonical URLs, each once."""
        found = (canonical(named, origin + "/robots.txt") for named in self._parsed.sitemaps)
        return tuple(dict.fromkeys(url for url in found if url))[:MAX_SITEMAPS]


def rules_of(record: RobotsRecord, product: str) -> Rules:
    """Parse the rules of a record. No robots.txt (4xx, endless redirects) allows everything."""
    return Rules(record.text if 200 <= record.status < 300 else "", product)


def is_unreachable(status: int) -> bool:
    """Return whether that status means: no rules for now, so request nothing and try again later.

    5xx by RFC 9309. A 429 is a 4xx, but "too many requests" is no permission to send more.
    """
    return status == 0 or status == 429 or status >= 500


def is_fresh(record: RobotsRecord, wall: float) -> bool:
    """Return whether a stored record may still be used. One from the future is of a clock that jumped."""
    return -_CLOCK_DRIFT < wall - record.fetched_at < MAX_AGE and not is_unreachable(record.status)


def read(body: bytes) -> str:
    """Decode a robots.txt up to the maximum size, by its byte order mark or as UTF-8."""
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
    """Rewrite the rules so that every group is addressed to us, to all, or to another robot.

    RFC 9309 has groups match the whole product token. Protego takes any beginning of it, so that a group
    for "ho" would bind "homing"; and "Foo Bar" or "Foo/1.2" for no one.
    """

    def readdress(line: re.Match[str]) -> str:
        words = re.split(r"[\s/]", line[1].strip().lower(), maxsplit=1)
        token = words[0].rstrip("*") or words[0]
        return f"user-agent: {token if token in (product, '*') else '/'}"

    return _USER_AGENT.sub(readdress, text.replace("\r\n", "\n").replace("\r", "\n"))
