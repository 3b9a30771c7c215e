"""A recorded web as training data for strategies: ``homing fit WEB``."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from homing.config import Config
from homing.lab.web.recorded import RecordedWeb
from homing.model import Page
from homing.topic.training_graph import Fetch, TrainingGraph, fetch_nothing, training_graph_of


@contextmanager
def open_web_ground(
    folder: Path, *, label: str = "", config: Config | None = None, fetch: Fetch = fetch_nothing
) -> Iterator[TrainingGraph]:
    """Do for a recorded web what ``topic.training_graph.open_training_graph`` does for a crawl.

    Parameters
    ----------
    label
        Pages with this label, or one below it, are the targets; examples are targets, too.
    config
        The topic's configuration, and how examples are fetched.
    """
    with RecordedWeb(folder) as web:
        yield training_graph_of(WebPages(web), folder, label=label, config=config, fetch=fetch)


class WebPages:
    """``topic.training_graph.LabelledPages`` over a recorded web."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web = web

    def at(self, url: str) -> Page | None:
        return self._web.page(url) if self._web.has_page(url) else None

    def labelled(self, label: str) -> list[str]:
        return list(filter(self._web.has_page, self._web.labelled(label)))

    def labels(self) -> set[str]:
        return {label for labels in self._web.labels.values() for label in labels}

    def edges(self, also: Container[str] = ()) -> Iterator[tuple[str, str]]:
        web = self._web
        yield from web.edges()
        if also:
            # Links out of the recording have no numbers.
            for url in filter(web.has_page, web):
                page = web.page(url)
                links = () if page.nofollow else page.links
                yield from ((url, link.url) for link in links if link.url in also)
