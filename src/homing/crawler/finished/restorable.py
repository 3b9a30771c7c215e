"""Whether a crawl could be resumed: its topic, its judge and its strategy, as they were saved."""

from __future__ import annotations

from pathlib import Path

from homing.config import Config
from homing.crawler.first_strategy import first_strategy
from homing.crawler.resume import UNUSABLE
from homing.errors import BrokenStateError, HomingError, OldStateError
from homing.store.check import Finding, Findings
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic import gathered as topic


def check_restorable(folder: Path) -> Findings:
    """Read what the crawl was given, and restore its strategy; only a crawl that has begun has any of it."""
    layout = Layout(folder)
    if not layout.config.is_file():
        return
    try:
        config = Config.load(layout.config)
        strategy = first_strategy(config, layout, topic.load(config, layout).judge(config).topic())
    except HomingError as error:
        yield Finding(part="topic", place=str(folder), problem=str(error))
        return
    try:
        with Reader(folder) as reader:
            state = reader.strategy_state()
        if state is not None:
            strategy.restore(state)
    except (OldStateError, BrokenStateError):  # learnt again anyway; said before
        return
    except UNUSABLE as error:
        problem = f"{strategy.name} cannot use its saved state ({type(error).__name__}: {error})"
        yield Finding(part="strategy", place=str(layout.database), problem=problem)
    except HomingError:  # the catalog: said before
        return
