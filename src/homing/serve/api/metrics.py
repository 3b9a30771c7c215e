"""The figures for Prometheus, in its text format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fastapi import APIRouter, Response

from homing.serve.crawl.folder import CrawlFolder
from homing.serve.crawl.look import Look

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_Labelled = Mapping[str, float]

_FIGURES = (
    ("fetched", "homing_pages_total", "counter", "Final HTTP responses."),
    ("relevant", "homing_relevant_pages_total", "counter", "Pages that the judge found relevant."),
    ("redirects", "homing_redirects_total", "counter", "Redirects to another page."),
    ("bytes", "homing_bytes_total", "counter", "Bytes of bodies, decoded."),
    ("seconds", "homing_crawl_seconds_total", "counter", "How long the crawl has run, all runs together."),
    ("frontier", "homing_frontier_urls", "gauge", "URLs that wait."),
    ("hosts", "homing_hosts", "gauge", "Hosts that gave a page."),
)
"""Name in the report, name here, type and help."""


def routes(folder: CrawlFolder) -> APIRouter:
    """``/metrics``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/metrics")
    def metrics() -> Response:
        return Response("".join(lines(folder.look())), media_type=CONTENT_TYPE)

    return router


def lines(look: Look) -> Iterator[str]:
    """One look at the crawl, line by line."""
    for figure, name, sort, text in _FIGURES:
        value = look.figures[figure]
        assert isinstance(value, int | float)
        yield from _metric(name, sort, text, value)
    yield from _metric(
        "homing_failed_urls", "gauge", "URLs given up, by kind of failure.", look.failed, label="kind"
    )
    yield from _metric("homing_running", "gauge", "Whether the crawl runs.", int(look.running))
    yield from _metric(
        "homing_harvest_now", "gauge", "Share of relevant among the last 100 pages.", look.harvest_now
    )
    yield from _metric("homing_disk_bytes", "gauge", "Size of the folder's parts.", look.disk, label="part")
    if look.pulse:
        yield from _metric("homing_paused", "gauge", "Whether the crawl is paused.", int(look.pulse.paused))
        yield from _metric("homing_in_flight", "gauge", "Requests without an answer.", look.pulse.in_flight)
        yield from _metric("homing_memory_bytes", "gauge", "Memory of the crawl.", look.pulse.memory)


def _metric(name: str, sort: str, text: str, value: float | _Labelled, *, label: str = "") -> Iterator[str]:
    yield f"# HELP {name} {text}\n# TYPE {name} {sort}\n"
    if isinstance(value, Mapping):
        for key, number in value.items():
            yield f'{name}{{{label}="{_escaped(key)}"}} {number}\n'
    else:
        yield f"{name} {value}\n"


def _escaped(text: str) -> str:
    r"""A label's value as the format wants it.

    >>> print(_escaped('say "hi"\n'))
    say \"hi\"\n
    """
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
