"""Another program that has the database locked.

Expected: the crawl waits up to 30 s (``homing.store.catalog.database.PATIENCE``), and continues. If the lock
stays longer, the crawl stops with one line that says so; what was committed is safe, and the crawl can be
resumed. The tests shorten the lock or the patience; ``make soak`` waits for the 30 seconds.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.hazards.hosts import Hosts, page
from tests.hazards.machine.locks import Intruder
from tests.hazards.machine.sound import assert_sound, holdings

from homing.errors import StorageError
from homing.store.catalog.catalog import Catalog
from homing.store.folder import Layout, open_catalog

HELD = 1.0
SEEDS = [f"http://{name}.example/" for name in "abcd"]
PAGES = 4 * 11
"""The last of each host is a 404."""


@pytest.fixture
def web(hosts: Hosts) -> Hosts:
    for seed in SEEDS:
        for number in range(10):
            hosts[f"{seed}{number or ''}"] = page(f"/{number + 1}", title=f"{seed} {number}")
    return hosts


def crawl(web: Hosts) -> str:
    return web.crawl(*SEEDS, pace={"delay": 0.1}, scope={"avoid_traps": False})


@pytest.fixture
def intruders() -> Iterator[list[Intruder]]:
    with ExitStack() as stack:
        intruders: list[Intruder] = []
        yield intruders
        for each in intruders:
            stack.enter_context(each)


def open_and_be_locked_out(
    folder: Path, *, intruders: list[Intruder], patience: float, **options: Any
) -> Catalog:
    """Open a catalog; let another program take the lock between two of its transactions."""
    catalog = open_catalog(folder, patience=patience, **options)
    begun = 0

    def intrude(statement: str) -> None:
        nonlocal begun
        begun += statement == "BEGIN IMMEDIATE"
        if begun == 3 and not intruders:
            intruders.append(Intruder(Layout(folder).database, HELD))
            intruders[0].wait_for_lock()

    catalog._db.set_trace_callback(intrude)
    return catalog


def test_a_crawl_waits_until_the_database_is_unlocked_and_continues(
    web: Hosts, intruders: list[Intruder], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = partial(open_and_be_locked_out, intruders=intruders, patience=20 * HELD)
    monkeypatch.setattr("homing.crawler.opening.open_catalog", opened)
    assert crawl(web) == "frontier empty"
    assert [intruder.has_gone for intruder in intruders] == [True]
    assert len(web.requested()) == len(set(web.requested())) == len(web.pages()) == PAGES
    assert_sound(web.folder)


def test_a_crawl_that_waits_too_long_stops_with_one_line_and_can_be_resumed(
    web: Hosts, intruders: list[Intruder], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = partial(open_and_be_locked_out, intruders=intruders, patience=HELD / 4)
    complaint = r"crawl\.db stays locked by another program; close it and run the same command again"
    with monkeypatch.context() as patch:
        patch.setattr("homing.crawler.opening.open_catalog", opened)
        with pytest.raises(StorageError, match=complaint):
            crawl(web)
    held = holdings(web.folder)
    assert 0 < len(held.visited) < PAGES
    web.log.clear()
    assert crawl(web) == "frontier empty"  # it first waits for the other program to end
    assert not held.visited.intersection(web.requested())
    assert held.known <= holdings(web.folder).known
    assert len(web.pages()) == PAGES
    assert_sound(web.folder)
