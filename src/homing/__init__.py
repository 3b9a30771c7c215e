"""Homing: a focused web crawler that explains itself.

    async for visit in homing.crawl("butterfly gardening", ["https://example.org/"], out="c", pages=500):
        print(visit.judgement.score, visit.page.title)

``crawl_sync`` is the same for code that is not asynchronous; ``open`` gives a crawl that takes commands while
it runs. A strategy or a judge of your own is a class:

>>> import homing
>>> class Relatives(homing.Strategy):
...     "Fetches the links of relevant pages first."
...
...     name = "relatives"
...
...     def score(self, visit: homing.Visit) -> list[homing.Proposal]:
...         priority = homing.Priority(score=visit.judgement.score)
...         return [homing.Proposal(url=link.url, priority=priority) for link in visit.page.links]

``homing.crawl(..., strategy=Relatives)`` uses it. ``homing.checks`` has a toy web to try it on:

>>> from homing.checks.replays import replay
>>> from homing.checks.webs import toy_web
>>> from homing.strategies import BreadthFirst
>>> web = toy_web(seed=1)
>>> replay(web, Relatives(), pages=100).harvest, replay(web, BreadthFirst(), pages=100).harvest
(0.4, 0.01)

The rooms, from what a user touches down to what a page is made of:

- ``cli/``, ``serve/``, ``demo/``: the command line, the web app with its REST API, the demonstration
- ``api``: ``crawl``, ``crawl_sync`` and ``open``
- ``lab/``: compares strategies on recorded webs; ``checks/``: batteries for strategies, judges and stores
- ``crawler/``: the crawl: begin with its ``engine``
- ``topic/``: from what the user says of the topic to a judge and to training pages
- ``strategies/``: which URL is next; ``judge/``: is a page on the topic?; ``frontier/``: the queue
- ``fetch/``, ``parse/``, ``store/``: requests; pages; archive, catalog and full-text index
- ``config/``: every setting
- ``text/``: words and vectors; ``taxonomy/``: decimal numbers; ``trails/``: graphs to fit strategies on
- ``ports/``: the Protocols between the parts; ``model``: the values that travel between them

Beside them: ``steps`` (a strategy learns and scores, and a proposal is merged with the priority that a URL
has), ``urls`` (canonical URLs, keys, hosts, sites), ``scope`` (which URLs a crawl may take), ``registry`` and
``parameters`` (strategies and judges by name, and what can be set on them), ``modelfile`` (models on disk),
``records`` (pages as JSON lines), ``errors`` (those that a user can mend), ``files`` (files written whole or
not at all), ``columns`` (growing tables of numbers), ``key_table`` (URL keys to numbers, in little memory),
``conversion`` (untyped data as typed values), ``bounded`` (read and unpack at most this much),
``header_values`` (what a request can carry), ``processes`` (how Python is started), ``extras`` (which
optional packages are missing).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homing.api import crawl, crawl_sync, open  # noqa: A004  (homing.open, as wave.open)
    from homing.crawler.crawl import Crawl
    from homing.judge import Judge
    from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Ranking, Visit
    from homing.strategies import Strategy

__all__ = [
    "Crawl",
    "Entry",
    "Judge",
    "Judgement",
    "Link",
    "Page",
    "Priority",
    "Proposal",
    "Ranking",
    "Strategy",
    "Visit",
    "crawl",
    "crawl_sync",
    "open",
]

_MODULES = {
    **dict.fromkeys(("crawl", "crawl_sync", "open"), "homing.api"),
    "Crawl": "homing.crawler.crawl",
    "Judge": "homing.judge",
    "Strategy": "homing.strategies",
}
"""Where the names are defined that are not in ``homing.model``."""


if not TYPE_CHECKING:  # to a type checker any name would be there

    def __getattr__(name: str) -> object:
        # Loaded on first use: `homing --help` must not wait for an HTTP client.
        if name in __all__:
            return getattr(import_module(_MODULES.get(name, "homing.model")), name)
        raise AttributeError(f"module 'homing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
