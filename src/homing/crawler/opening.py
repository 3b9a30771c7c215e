"""From a configuration to a crawl in a folder that can run."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from msgspec import convert

from homing.config import Config, Tables, differences
from homing.config.edits import edits, remembered
from homing.config.toml import read_toml
from homing.crawler.assembly import parts_of, reader_of
from homing.crawler.clock import WallClock
from homing.crawler.crawl import Crawl
from homing.crawler.engine import Engine
from homing.crawler.events import Listener, Noted
from homing.crawler.examples import fetch_examples
from homing.crawler.first_strategy import first_strategy, give_model, new_strategy
from homing.crawler.index.thread import Indexer
from homing.crawler.live.commands import STEERED, Commands, told
from homing.crawler.live.doubts import ENOUGH, Doubts, doubt_before
from homing.crawler.live.inbox import InboxReader
from homing.crawler.live.pulse import Heart
from homing.crawler.live.relearn import Relearning
from homing.crawler.log import Log
from homing.crawler.progress import Counters, Limits
from homing.crawler.resume import resume
from homing.errors import FolderError, HomingError, OtherCrawlError
from homing.extras import check_can_fit
from homing.fetch.body import BodyBudget
from homing.fetch.pace import Pace, Steered, Window
from homing.fetch.wiring import fetcher_of, seeds_of
from homing.files import whole_file
from homing.judge import JUDGES, Judge
from homing.ports import Store
from homing.store.catalog import schema
from homing.store.catalog.catalog import Catalog
from homing.store.folder import Layout, open_catalog
from homing.store.inbox import open_inbox
from homing.store.views.reader import Reader as CatalogReader
from homing.strategies import STRATEGIES, Strategy
from homing.topic import gathered as topic
from homing.topic.gathered import Gathered
from homing.topic.sources import Fetched

SETTINGS = "settings"
"""The fact under which the settings of the last run are kept."""
LOOK = 1.0
"""Seconds to wait for a look at them: if the catalog is locked for longer, opening it waits and says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """All of a crawl that can be had before its folder is touched."""

    config: Config
    layout: Layout
    resumed: bool
    gathered: Gathered
    judge: Judge
    strategy: Strategy
    model: bytes
    """The strategy's model as a file; empty if it has none."""


def open_crawl(config: Config, folder: Path, fetched: Fetched | None = None) -> Crawl:
    """Open a crawl in a folder: a new one, or the one that is there if it has the same settings.

    Nothing is touched before everything that can be refused has been: an unknown name, examples that
    cannot be read, other settings than the folder's crawl has, a folder that is locked, damaged or cannot
    be written.

    Parameters
    ----------
    fetched
        What ``fetch_examples`` returned. Without it, examples on the web are fetched in here, which cannot be
        done while an event loop runs.
    """
    last = _last_settings(Layout(folder))
    notices = _edited(Layout(folder), last)
    prepared = _prepare(config, Layout(folder), fetched)
    config, layout = prepared.config, prepared.layout
    clock = WallClock()
    with ExitStack() as undo:
        store = _open_store(prepared, clock)
        undo.callback(store.close)
        _keep_given(prepared)
        store.note(SETTINGS, remembered(config))
        catalog = undo.enter_context(CatalogReader(folder))
        log = Log(layout.log, clock.wall)
        undo.callback(log.close)
        budget = BodyBudget()
        parts = parts_of(
            config,
            strategy=prepared.strategy,
            reader=reader_of(config, prepared.judge),
            store=store,
            fetcher=fetcher_of(config, catalog.robots_record, clock, budget),
            clock=clock,
            budget=budget,
        )
        undo.callback(parts.thread.shutdown)
        undo.callback(parts.reader.close)
        pace = _pace(config)
        notices += _steer(pace, store, last, config)
        parts.frontier.hosts.delay = pace.at(clock.wall()).delay  # hosts of earlier runs rest this long first
        listeners: list[Listener] = [log]
        if config.store.index:
            indexer = Indexer(folder, lambda trouble: log(Noted(name="index", detail=trouble)))
            undo.callback(indexer.close)
            listeners.append(indexer)
        engine = Engine(parts, limits=_limits(config), counters=Counters(), listeners=listeners)
        begin = partial(first_strategy, config, layout)
        resume(engine, seeds_of(config), _blocks(store), partial(begin, prepared.judge.topic()))
        heart = Heart(parts, engine.requests, layout.pulse, engine.tell)
        undo.callback(heart.close)
        _doubt(prepared, engine, store)
        inbox, trouble = open_inbox(folder)
        undo.callback(inbox.close)
        if trouble:
            engine.tell(Noted(name="damage", detail=trouble))
        every = config.judge.relearn_every
        relearning = Relearning(engine, parts, config, layout, begin, every=every)
        commands = Commands(engine, parts, pace, heart, relearning)
        return Crawl(
            engine=engine,
            parts=parts,
            commands=commands,
            inbox=InboxReader(inbox, commands, heart, store, engine.tell),
            heart=heart,
            resumed=prepared.resumed,
            summary=prepared.gathered.understood(prepared.judge),
            notices=notices,
            close=undo.pop_all().close,
        )


def _prepare(config: Config, layout: Layout, fetched: Fetched | None) -> _Prepared:
    config = config.bound()  # one that a program has made need not have been located
    config.check_complete()
    strategy_class = STRATEGIES.get(config.strategy.name)  # an unknown name, before anything else is wrong
    if not config.strategy.model:
        check_can_fit(strategy_class)
    config, resumed = _settle(config, layout)
    strategy = new_strategy(config, layout, resumed=resumed)
    if resumed:
        gathered = topic.load(config, layout)
    else:
        if fetched is None and topic.example_urls(config.topic):
            fetched = asyncio.run(fetch_examples(config, layout.root))
        gathered = topic.gather(config, fetched or {})
    judge = gathered.judge(config)
    strategy.begin(judge.topic())
    return _Prepared(
        config=config,
        layout=layout,
        resumed=resumed,
        gathered=gathered,
        judge=judge,
        strategy=strategy,
        model=give_model(config, layout, strategy, resumed=resumed),
    )


def _open_store(prepared: _Prepared, clock: WallClock) -> Catalog:
    config = prepared.config
    return open_catalog(
        prepared.layout.root,
        strategy=prepared.strategy.name,
        judge=prepared.judge.name,
        wall=clock.wall,
        keep=config.store.keep,
        warc_bytes=config.store.warc_megabytes * 1_000_000,
        software=f"homing/{version('homing')}",
    )


def _keep_given(prepared: _Prepared) -> None:
    """Write what the user gave the crawl into its folder; the configuration last, when the rest is whole."""
    config, layout = prepared.config, prepared.layout
    if not prepared.resumed:
        prepared.gathered.keep(layout)
        if prepared.model:
            with whole_file(layout.strategy_model) as file:
                file.write(prepared.model)
        if table := config.strategy.parameters.get("taxonomy"):
            with whole_file(layout.strategy_taxonomy) as file:
                file.write(Path(str(table)).read_bytes())
    with whole_file(layout.config) as file:
        file.write(config.dump().encode())


def _doubt(prepared: _Prepared, engine: Engine, store: Store) -> None:
    """Warn of examples that may not tell the topic from the rest: now, or after the first pages."""
    about = prepared.judge.topic()
    if len(about.held_out) >= ENOUGH and not engine.counters.started_with:
        engine.listeners.append(Doubts(about.held_out, store, engine.tell))
    warning = "" if prepared.resumed else doubt_before(about)
    if warning:
        engine.counters.doubt = warning
        store.note("doubt", warning)


def _settle(config: Config, layout: Layout) -> tuple[Config, bool]:
    """Return the configuration with its judge named, and whether the folder holds this crawl already.

    A folder that holds another crawl, or something else, is refused.
    """
    if os.access(layout.database, os.R_OK):  # where it is not, open_catalog says so
        schema.recognise(layout.database)  # before a lock is laid beside a stranger's file
    if layout.config.is_file():
        stored = Config.load(layout.config)
        config = _with_judge(config, stored.judge.name)
        others = differences(stored, config)
        if others:
            raise OtherCrawlError(
                f"{layout.root} holds a crawl with another {'; '.join(others)}: choose another --out"
            )
        return config, True
    if not layout.is_bare and not layout.database.exists():
        raise FolderError(f"{layout.root} is not empty and no crawl: choose another --out")
    name = topic.judge_for(config)
    JUDGES.get(name)  # before anything is requested
    return _with_judge(config, name), False


def _with_judge(config: Config, name: str) -> Config:
    return config if config.judge.name else config.merged({"judge": {"name": name}})


def _last_settings(layout: Layout) -> Tables | None:
    """Return the settings of the last run; ``None`` if that did not keep them, or cannot be read."""
    if not layout.database.is_file():
        return None
    with suppress(HomingError), CatalogReader(layout.root, patience=LOOK) as catalog:
        kept = catalog.facts().get(SETTINGS)
        return kept if isinstance(kept, dict) else None
    return None


def _edited(layout: Layout, last: Tables | None) -> list[str]:
    """Return a line about what was edited in ``crawl.toml`` since; refuse what defines the crawl."""
    if last is None or not layout.config.is_file():
        return []
    refused, allowed = edits(last, remembered(Config.of(read_toml(layout.config), str(layout.config))))
    if refused:
        raise OtherCrawlError(
            f"{layout.config} was edited: {'; '.join(refused)}: a crawl keeps what defines it; "
            "undo that or choose another --out"
        )
    return [f"{layout.config} was edited: {'; '.join(allowed)}"] if allowed else []


def _steer(pace: Pace, store: Store, last: Tables | None, config: Config) -> list[str]:
    """Let the limits hold that a command had set, unless other ones were configured since."""
    kept = store.fact(STEERED)
    steered = convert(kept, Steered) if isinstance(kept, dict) else Steered()
    before, now = (last or {}).get("pace", {}), config.tables()["pace"]
    for name in ("delay", "pages_per_second"):
        if any(before.get(key) != now.get(key) for key in (name, "windows")) and before:
            steered = convert({key: value for key, value in steered.items() if key != name}, Steered)
    pace.steered = steered
    if steered != kept and kept:
        store.note(STEERED, steered)
    return [f"set by a command: {told(steered)}"] if steered else []


def _pace(config: Config) -> Pace:
    windows = [
        Window(
            start=window.start,
            end=window.end,
            delay=window.delay,
            pages_per_second=window.pages_per_second,
        )
        for window in config.pace.windows
    ]
    return Pace(delay=config.pace.delay, pages_per_second=config.pace.pages_per_second, windows=windows)


def _limits(config: Config) -> Limits:
    minutes = config.stop.minutes
    return Limits(
        concurrency=config.fetch.concurrency,
        pages=config.stop.pages,
        relevant=config.stop.relevant,
        seconds=None if minutes is None else minutes * 60,
        yield_below=config.stop.yield_below,
    )


def _blocks(store: Store) -> list[str]:
    blocks = store.fact("blocks")
    return [str(pattern) for pattern in blocks] if isinstance(blocks, list) else []
