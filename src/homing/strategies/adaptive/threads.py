"""One thread for what a strategy computes with numpy, page by page."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


def one_thread() -> AbstractContextManager[object]:
    """Limit products of matrices to one thread while it is entered.

    With a few million numbers, several threads mostly wait for each other: where another process had one of
    two cores, a product took 8 ms instead of 0.6. And they add up in another order, so that a crawl might
    differ from one machine to the next.
    """
    limited: AbstractContextManager[object] = _pools().limit(limits=1, user_api="blas")
    return limited


@cache
def _pools() -> ThreadpoolController:
    """Return the thread pools: finding them takes 1.5 ms, limiting them 10 µs."""
    return ThreadpoolController()
