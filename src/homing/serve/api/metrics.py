"""The figures for Prometheus, in its text format: ``/metrics``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fastapi import APIRouter, Response

from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.crawl.overview import Overview

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_Labelled = Mapping[str, float]

_FIGURES = (
    ("fetched", "homing_pages_total", "counter", "Final HTTP responses."),
    ("relevant", "homing_relevant_pages_total", "counter", "Pages that the judge found relevant."),
    ("redirects", "homing_redirects_total", "counter", "Redirects to another page."),
    ("bytes", "homing_bytes_total", "counter", "Bytes of bodies, decoded."),
    ("seconds", "homing_crawl_seconds_total", "counter", "Running time of the crawl, over all runs."),
    ("frontier", "homing_frontier_urls", "gauge", "Frontier URLs."),
    ("hosts", "homing_hosts", "gauge", "Hosts with at least one page."),
)
"""Name in the report, name of the metric, type and help."""


def routes(folder: CrawlFolder) -> APIRouter:
    """Return the route of ``/metrics``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/metrics")
    def metrics() -> Response:
        return Response("".join(lines(folder.overview())), media_type=CONTENT_TYPE)

    return router


def lines(overview: Overview) -> Iterator[str]:
    """Yield the metrics of a crawl, line by line."""
    for figure, name, sort, text in _FIGURES:
        value = overview.figures[figure]
        assert isinstance(value, int | float)
        yield from _metric(name, sort, text, value)
    yield from _metric(
        "homing_failed_urls", "gauge", "Abandoned URLs by kind of failure.", overview.failed, label="kind"
    )
    yield from _metric("homing_running", "gauge", "Whether the crawl runs.", int(overview.running))
    yield from _metric(
        "homing_harvest_now", "gauge", "Share of relevant pages among the last 100.", overview.harvest_now
    )
    yield from _metric(
        "homing_disk_bytes", "gauge", "Bytes on disk by part of the folder.", overview.disk, label="part"
    )
    if overview.paused is not None:
        yield from _metric("homing_paused", "gauge", "Whether the crawl is paused.", int(overview.paused))
    if pulse := overview.pulse:
        yield from _metric("homing_in_flight", "gauge", "Requests in flight.", pulse.in_flight)
        yield from _metric("homing_memory_bytes", "gauge", "Memory of the crawl.", pulse.memory)


def _metric(name: str, sort: str, text: str, value: float | _Labelled, *, label: str = "") -> Iterator[str]:
    yield f"# HELP {name} {text}\n# TYPE {name} {sort}\n"
    if isinstance(value, Mapping):
        for key, number in value.items():
            yield f'{name}{{{label}="{_escaped(key)}"}} {number}\n'
    else:
        yield f"{name} {value}\n"


def _escaped(text: str) -> str:
    r"""Escape the value of a label.

    >>> print(_escaped('say "hi"\n'))
    say \"hi\"\n
    """
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
