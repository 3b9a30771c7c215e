"""Fetch pages over HTTP politely, whatever the hosts answer.

Begin with ``fetcher``: ``HttpFetcher.fetch`` is the whole way of one URL. An ordinary page goes on through
``robots`` (may we?), ``host_locks`` (one request at a time), ``exchange`` (request and reply) and ``body``
(its bytes). ``wiring`` builds the fetcher from a configuration.

Where to find

- the **address guard**: ``address_guard``, installed in ``Exchange._open``. It checks the addresses of a name
  after it is resolved, and the address of each socket before it is connected. A proxy resolves names itself:
  then ``Exchange.get`` checks the host in the URL;
- the **cap on Crawl-delay**: ``robots``, ``RobotsCache.crawl_delay``;
- the **redirects that are followed**: ``redirects``, for robots.txt (``RobotsCache.fetch``) and for another
  spelling of the same URL. Any other redirect of a page is returned as it is, and the crawler offers its
  target to the frontier (``crawler/outcomes.py``);
- the **bounds of a body**: ``body``, in size (``Body``), time (``Deadline``) and memory (``BodyBudget``).

Politeness:

- ``robots``: what each origin's robots.txt allows: cached, loaded or fetched. ``robots_text`` decodes it
  and finds the groups that address us.
- ``host_locks``: one request to a host at a time, also where a redirect leads to a host that was not leased.
- ``pace``: rate limits of the whole crawl (pages and bytes a second), by time of day.
- ``retry``: when to request again: back-off, and the Retry-After header under its cap.

One request and its reply:

- ``exchange``: send a request over aiohttp: headers, proxy, DNS, TLS.
- ``address_guard``: refuse addresses that are not public; ``special_addresses`` says which those are.
- ``redirects``: which redirects are followed here.
- ``body``: read a body as it arrives, within its bounds.
- ``decode``: undo gzip, deflate, br and zstd in small steps.

Values:

- ``settings``: ``Identity`` (User-Agent, contact, headers), ``Limits`` (sizes, times, retries) and ``Caps``.
- ``request_failure``: why a request brought no reply: every aiohttp error turned into one value.
"""
