"""The pages of a crawl, in the order of the strategy that found them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from homing.config import Config
from homing.crawler.first_strategy import first_strategy
from homing.errors import Damage, UsageError
from homing.model import Page
from homing.store.folder import Layout
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader
from homing.topic import gathered as topic
from homing.topic.crawled_pages import CrawledPages


@runtime_checkable
class RanksPages(Protocol):
    """A strategy that also orders the pages it has found."""

    def rank(self, page: Page) -> float:
        """Return how far up a page belongs; higher is better."""


def ranked_by_strategy(
    name: str, folder: Path, reader: Reader, damage: Damage, *, relevant_only: bool = False
) -> Iterator[PageRow]:
    """Yield the pages of a crawl as its strategy, of that name, ranks them (``RanksPages``), best first.

    Every page is read again from the archive. Those that were not kept there, or whose records are damaged,
    come last, by their score, which also decides between those of equal rank.
    """
    strategy, pages = _loaded(name, folder, reader), CrawledPages(reader, damage)
    places: list[tuple[float, int, int]] = []
    for place, row in enumerate(reader.pages(relevant_only=relevant_only, ranked=True)):
        page = pages.of(row)
        rank = -math.inf if page is None else strategy.rank(page)
        places.append((-rank, place, row.seq))
    for _, _, seq in sorted(places):
        found = reader.visit(seq)
        if found is not None:
            yield found


def _loaded(name: str, folder: Path, reader: Reader) -> RanksPages:
    """Return the strategy as it was when it was last saved."""
    layout = Layout(folder)
    config = Config.load(layout.config)
    if config.strategy.name != name:
        raise UsageError(
            f'"{name}" can only rank what it has found itself; '
            f'{folder} was crawled by "{config.strategy.name}"'
        )
    strategy = first_strategy(config, layout, topic.load(config, layout).judge(config).topic())
    if not isinstance(strategy, RanksPages):
        raise UsageError(f'strategy "{name}" does not rank pages, only links')
    state = reader.strategy_state()
    if state is not None:
        strategy.restore(state)
    return strategy
