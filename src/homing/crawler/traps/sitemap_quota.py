"""A quota for the sitemaps of one site: anyone can write lists of a billion URLs."""

from __future__ import annotations

from collections import Counter

MAX_FILES = 100
MAX_URLS = 250_000
"""Five full sitemaps. The pages of a larger site are found by their links."""


class SitemapQuota:
    """What each site may still list, in this run.

    >>> quota = SitemapQuota(max_files=1, max_urls=3)
    >>> quota.may_name("a.org"), quota.may_name("a.org"), quota.may_name("b.org")
    (True, False, True)
    >>> quota.take("a.org", 2), quota.take("a.org", 2), quota.take("a.org", 2)
    (2, 1, 0)
    """

    def __init__(self, *, max_files: int = MAX_FILES, max_urls: int = MAX_URLS) -> None:
        self._max_files = max_files
        self._max_urls = max_urls
        self._files: Counter[str] = Counter()
        self._urls: Counter[str] = Counter()

    def may_name(self, site: str) -> bool:
        """May the site name one more sitemap? If so, it is counted."""
        if self._files[site] >= self._max_files:
            return False
        self._files[site] += 1
        return True

    def take(self, site: str, urls: int) -> int:
        """Return how many of these URLs may be taken from a sitemap of the site, and count them."""
        taken = min(urls, self._max_urls - self._urls[site])
        self._urls[site] += taken
        return taken
