"""Do the examples tell the topic from the rest? What the user is told if they do not.

Twice there is something to go by. Before the crawl: how alike the examples are, each beside the others.
And when its first pages are in: a page that a crawl brings may look like the topic, but where nearly all of
them look more like it than the examples do when these are held out, it is hardly the topic that they share
with them. Of 27 crawls of development topics that was said of five; three of these had gone astray.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from homing.crawler.events import Event, Noted, Visited
from homing.model import Topic

if TYPE_CHECKING:
    from homing.crawler.engine import Engine

LITTLE = 0.3
"""Examples less alike than this have little in common; usual is one half."""
FIRST = 64
LOW = 0.35
"""Examples that beat so few of the first pages, by pairs, do not tell the topic from the rest."""
ENOUGH = 4
"""With fewer examples neither says much."""


def doubt_before(topic: Topic) -> str:
    """Return a warning to show before the first page, in one line; empty if there is none."""
    if topic.likeness is None or len(topic.held_out) < ENOUGH or topic.likeness >= LITTLE:
        return ""
    return (
        f"the examples have little in common ({max(topic.likeness, 0):.2f}, where 0.5 is usual), so pages "
        "may be judged wrongly: give more examples, or leave out those beside the point"
    )


class Doubts:
    """Listens to a crawl, and warns once if its first pages tell against its examples.

    Parameters
    ----------
    held_out
        The score of each example by a judge that was trained on the others; ``ENOUGH`` of them at least.
    """

    def __init__(self, engine: Engine, held_out: Sequence[float]) -> None:
        self._engine = engine
        self._held_out = held_out
        self._scores: list[float] = []

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Visited) or len(self._scores) == FIRST:
            return
        self._scores.append(event.visit.judgement.score)
        if len(self._scores) == FIRST and self.beaten < LOW:
            said = (
                f"the first {FIRST} pages look more like the topic than the examples do, so these may not "
                "tell it from the rest: look at some pages, and mark them right or wrong in homing serve"
            )
            self._engine.parts.store.note("doubt", said)
            self._engine.tell(Noted(name="doubt", detail=said))

    @property
    def beaten(self) -> float:
        """The share of pairs of an example and a page in which the example has the higher score."""
        pairs = [(held, score) for held in self._held_out for score in self._scores]
        return sum(held > score for held, score in pairs) / len(pairs)
