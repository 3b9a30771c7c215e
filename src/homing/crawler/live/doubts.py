"""Do the examples tell the topic from the rest? A warning for the user if they do not.

There are two moments to find out. Before the crawl: how alike the examples are, each compared with the
others. And after its first pages: a fetched page may look like the topic, but where nearly all of them look
more like it than the held-out examples do, it is hardly the topic that they share with the examples. Of 27
crawls of development topics five got this warning; three of these had gone astray.
"""

from __future__ import annotations

from collections.abc import Sequence

from homing.crawler.events import Event, Listener, Noted, Visited
from homing.model import Topic
from homing.ports import Store

LITTLE = 0.3
"""Examples less alike than this have little in common; a typical value is one half."""
FIRST = 64
LOW = 0.35
"""Examples that beat a smaller share of the first pages, by pairs, do not tell the topic from the rest."""
ENOUGH = 4
"""With fewer examples neither figure says much."""


def doubt_before(topic: Topic) -> str:
    """Return a warning to show before the first page, in one line; empty if there is no reason for one."""
    if topic.likeness is None or len(topic.held_out) < ENOUGH or topic.likeness >= LITTLE:
        return ""
    return (
        f"the examples have little in common ({max(topic.likeness, 0):.2f}, where 0.5 is typical), so pages "
        "may be judged wrongly: give more examples, or leave out those beside the point"
    )


class Doubts:
    """Listens to a crawl, and warns once if its first pages speak against its examples.

    Parameters
    ----------
    held_out
        The score of each example by a judge that was trained on the others; ``ENOUGH`` of them at least.
    store, tell
        Where the warning goes.
    """

    def __init__(self, held_out: Sequence[float], store: Store, tell: Listener) -> None:
        self._held_out = held_out
        self._store = store
        self._tell = tell
        self._scores: list[float] = []

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Visited) or len(self._scores) == FIRST:
            return
        self._scores.append(event.visit.judgement.score)
        if len(self._scores) == FIRST and self.beaten < LOW:
            warning = (
                f"the first {FIRST} pages look more like the topic than the examples do, so these may not "
                "tell it from the rest: look at some pages, and label them right or wrong in homing serve"
            )
            self._store.note("doubt", warning)
            self._tell(Noted(name="doubt", detail=warning))

    @property
    def beaten(self) -> float:
        """Share of the pairs of an example and a page in which the example has the higher score."""
        pairs = [(held, score) for held in self._held_out for score in self._scores]
        return sum(held > score for held, score in pairs) / len(pairs)
