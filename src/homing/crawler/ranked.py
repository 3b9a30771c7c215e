"""What a crawl has found, in the order of the strategy that found it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from homing.config import Config
from homing.errors import UsageError
from homing.modelfile import read_model
from homing.registry import make
from homing.store.folder import Layout
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader
from homing.strategies import STRATEGIES
from homing.strategies.model_files import give
from homing.strategies.trained.layers.layered import Layered
from homing.topic import gathered as topic
from homing.topic.crawled_pages import CrawledPages


def ranked_by_layered(folder: Path, reader: Reader, *, relevant_only: bool = False) -> Iterator[PageRow]:
    """The pages of a crawl by the strategy ``layered``, as that ranks them (``Layered.rank``), best first.

    Every page is read anew from the archive. Those that were not kept there come last, by their score, which
    also parts those of equal rank.
    """
    strategy, pages = _recalled(folder, reader), CrawledPages(reader)
    places: list[tuple[float, int, int]] = []
    for place, row in enumerate(reader.pages(relevant_only=relevant_only, ranked=True)):
        page = pages.of(row)
        rank = -math.inf if page is None else strategy.rank(page)
        places.append((-rank, place, row.seq))
    for _, _, seq in sorted(places):
        found = reader.visit(seq)
        if found is not None:
            yield found


def _recalled(folder: Path, reader: Reader) -> Layered:
    """The strategy as it was when it was last saved."""
    layout = Layout(folder)
    config = Config.load(layout.config)
    strategy = make(STRATEGIES.get(config.strategy.name), config.strategy.parameters)
    if not isinstance(strategy, Layered):
        raise UsageError(
            f'"layered" can only rank what it has found itself; {folder} was crawled by "{strategy.name}"'
        )
    if config.strategy.model:
        give(strategy, read_model(layout.strategy_model), config.topic.text)
    strategy.begin(topic.load(config, layout).judge(config).topic())
    state = reader.strategy_state()
    if state is not None:
        strategy.restore(state)
    return strategy
