"""Fetch pages over HTTP politely, whatever the hosts answer.

Begin with ``fetcher``: ``HttpFetcher.fetch`` is the whole way of one URL. ``wiring`` builds it from a
configuration.

Politeness:

- ``robots``: parse a robots.txt into rules, Crawl-delay and sitemaps.
- ``robots_cache``: fetch and cache each origin's robots.txt. **Crawl-delay is capped here**
  (``RobotsCache.crawl_delay``).
- ``host_locks``: one request to a host at a time, also where a redirect leads to a host that was not leased.
- ``pace``: rate limits of the whole crawl (pages and bytes a second), by time of day.
- ``retry``: when to request again: back-off, and the Retry-After header under its cap.

One request and its reply:

- ``exchange``: send a request over aiohttp: headers, proxy, DNS, TLS.
- ``address_guard``: refuse addresses that are not public, after name resolution.
- ``redirects``: **which redirects are followed here**: those of robots.txt. A page's redirect is returned as
  it is; the crawler offers its target to the frontier (``crawler/outcomes.py``).
- ``body``: read a body as it arrives. **It is bounded here**: in size by ``settings.Limits.body_caps``, in
  time, and in the memory that all large bodies share.
- ``decode``: undo gzip, deflate, br and zstd in small steps.

Values:

- ``settings``: ``Identity`` (User-Agent, contact, headers) and ``Limits`` (sizes, times, retries, caps).
- ``request_failure``: why a request brought no reply: every aiohttp error turned into one value.
"""
