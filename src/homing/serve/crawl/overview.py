"""The crawl at one moment: the source of the dashboard, the API and the metrics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from homing.serve.crawl.series import Point
from homing.serve.crawl.totals import Totals
from homing.store.folder import Layout
from homing.store.lock import is_held
from homing.store.pulse_file import HostNow, Pulse, read_pulse
from homing.store.views.browsing import Browser

_PULSE_EXPIRES = 8.0
"""Seconds after which a pulse is out of date."""


class HostTotals(Struct, frozen=True, kw_only=True):
    """The results of one host."""

    name: str
    fetched: int
    relevant: int
    failures: int
    """Failed attempts."""
    delay: float | None
    """Crawl-delay of its robots.txt in seconds, if there is one."""
    now: HostNow | None = None
    """Its state in a running crawl, as far as the pulse has it."""


class Overview(Struct, frozen=True, kw_only=True):
    """The crawl at one moment."""

    at: float
    """Seconds since 1970."""
    running: bool
    paused: bool | None
    """``None`` if it is not running."""
    pulse: Pulse | None
    """State that only the crawl's memory holds; ``None`` if it is not running or has not published it yet."""
    figures: Mapping[str, object]
    """The figures of ``homing report``, under the same names."""
    failed: Mapping[str, int]
    """Abandoned URLs by kind of failure, most frequent first."""
    harvest_now: float
    """Share of relevant pages among the last 100."""
    pages_per_second_now: float
    points: list[Point]
    milestones: list[Point]
    hosts: list[HostTotals]
    """Hosts with a page or a failure, most pages first."""
    disk: Mapping[str, int]
    """Bytes on disk by part of the folder."""


def take_overview(layout: Layout, browser: Browser, totals: Totals, *, wall: float) -> Overview:
    """Bring the totals up to date and return the state of the crawl."""
    facts = browser.facts()
    totals.advance(browser)
    series = totals.series
    running = is_running(layout, facts)
    pulse = _pulse(layout, wall) if running else None
    hosts, failed, seconds = _hosts(browser, totals, pulse), browser.abandoned(), facts.get("seconds")
    figures = {
        "fetched": series.fetched,
        "relevant": series.relevant,
        "harvest_rate": series.relevant / series.fetched if series.fetched else 0.0,
        "failed": failed,
        "cut": facts.get("cut", {}),
        "held_back": facts.get("held_back", {}),
        "redirects": totals.redirects,
        "frontier": browser.frontier(),
        "hosts": len(totals.fetched_by_host),
        "bytes": totals.bytes,
        "seconds": seconds or 0.0,
        "pages_per_second": totals.fetches / seconds if isinstance(seconds, float) and seconds else 0.0,
        "strategy": facts.get("strategy"),
        "judge": facts.get("judge"),
        "doubt": facts.get("doubt", ""),
        "stop_reason": facts.get("stop_reason"),
    }
    return Overview(
        at=wall,
        running=running,
        paused=facts.get("paused") is True if running else None,
        pulse=pulse,
        figures=figures,
        failed=failed,
        harvest_now=series.harvest_now,
        pages_per_second_now=totals.pages_per_second(wall) if running else 0.0,
        points=series.points(),
        milestones=list(series.milestones()),
        hosts=hosts,
        disk=_sizes(layout),
    )


def is_running(layout: Layout, facts: Mapping[str, object]) -> bool:
    """Tell whether a crawl is running in the folder."""
    return not facts.get("stop_reason") and is_held(layout.lock)


def _pulse(layout: Layout, wall: float) -> Pulse | None:
    pulse = read_pulse(layout.pulse)
    return pulse if pulse and abs(wall - pulse.at) <= _PULSE_EXPIRES else None


def _hosts(browser: Browser, totals: Totals, pulse: Pulse | None) -> list[HostTotals]:
    now = {host.name: host for host in pulse.hosts} if pulse else {}
    requested = totals.fetched_by_host.keys() | totals.failures_by_host.keys()
    hosts = [
        HostTotals(
            name=host.name,
            fetched=totals.fetched_by_host[host.number],
            relevant=totals.relevant_by_host[host.number],
            failures=totals.failures_by_host[host.number],
            delay=host.delay,
            now=now.get(host.name),
        )
        for host in browser.hosts()
        if host.number in requested or host.name in now
    ]
    return sorted(hosts, key=lambda host: (-host.fetched, -host.failures, host.name))


def _sizes(layout: Layout) -> dict[str, int]:
    parts = {"archive": layout.warc, "catalog": layout.database, "index": layout.index, "log": layout.log}
    return {name: _size(path) for name, path in parts.items() if path.exists()}


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(map(_size, path.iterdir()))
    try:
        return path.stat().st_size
    except FileNotFoundError:  # the index may delete files while this runs
        return 0
