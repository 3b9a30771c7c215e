"""Homing: a focused web crawler that explains itself.

    async for visit in homing.crawl("butterfly gardening", ["https://example.org/"], pages=500):
        print(visit.judgement.score, visit.page.title)

``crawl_sync`` is the same for code that is not asynchronous.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homing.api import crawl, crawl_sync

__all__ = ["crawl", "crawl_sync"]


def __getattr__(name: str) -> object:
    # Loaded when first asked for: `homing --help` must not wait for an HTTP client.
    if name in __all__:
        from homing import api

        return getattr(api, name)
    raise AttributeError(f"module 'homing' has no attribute {name!r}")
