"""Tasks: the targets of a topic, the pages that can be reached from its seeds, and draws of examples."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from homing.errors import UsageError, did_you_mean
from homing.lab.experiment import TopicEntry
from homing.lab.replay import RecordedScope
from homing.lab.web.recorded import RecordedWeb
from homing.urls import canonical


class Task(Struct, frozen=True, kw_only=True):
    """A topic on a web, from its seeds."""

    topic: str
    seeds: tuple[str, ...]
    positives: tuple[str, ...]
    """All pages on the topic, in the order in which they were recorded."""
    reachable: frozenset[str]
    """All pages that can be reached from the seeds."""

    def draw(self, number: int, examples: int) -> Draw:
        """Draw this many of the positives as examples, or a third of them if there are too few.

        All strategies get the same examples in the same draw. Examples are known before the crawl: they do
        not count as found.
        """
        chance = random.Random(f"{self.topic} {number}")  # noqa: S311  (a sample, not a secret)
        count = max(min(1, examples), min(examples, len(self.positives) // 3))
        shown = tuple(chance.sample(self.positives, count))
        targets = (self.reachable & set(self.positives)) - set(shown)
        if not targets:
            raise UsageError(
                f'all pages of "{self.topic}" that the seeds lead to are examples in draw {number}:'
                " nothing is left to find; take other seeds or fewer examples"
            )
        return Draw(examples=shown, targets=targets)


class Draw(Struct, frozen=True, kw_only=True):
    """The examples of a topic, and its targets."""

    examples: tuple[str, ...]
    targets: frozenset[str]


def task_of(web: RecordedWeb, entry: TopicEntry) -> Task:
    """Return the task that an experiment describes; raise if the web has no such topic or seeds."""
    seeds = tuple(_recorded_seed(web, url) for url in entry.seeds)
    positives = _listed(web, Path(entry.urls)) if entry.urls else _labelled(web, entry.label)
    task = Task(topic=entry.title, seeds=seeds, positives=positives, reachable=_reachable(web, seeds))
    if not task.reachable.intersection(positives):
        raise UsageError(f'no way leads from the seeds of "{entry.title}" to one of its pages')
    return task


def _recorded_seed(web: RecordedWeb, url: str) -> str:
    address = canonical(url) or url
    if address not in web:
        raise UsageError(f"the seed {url} is not in {web.folder}")
    return address


def _labelled(web: RecordedWeb, label: str) -> tuple[str, ...]:
    found = tuple(url for url in web.labelled(label) if web.has_page(url))
    if not found:
        known = {each for labels in web.labels.values() for each in labels}
        raise UsageError(f'no page of {web.folder} is labelled "{label}"{did_you_mean(label, known)}')
    return found


def _listed(web: RecordedWeb, path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    named = {canonical(line.strip()) for line in lines if line.strip()}
    found = tuple(url for url in web if url in named and web.has_page(url))
    if not found:
        raise UsageError(f"{web.folder} has none of the pages that {path} lists")
    return found


def _reachable(web: RecordedWeb, seeds: Iterable[str]) -> frozenset[str]:
    """Return the pages that the engine could reach from the seeds."""
    onward: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in zip(*map(list, web.links()), strict=True):
        onward[source].append(target)
    urls = {number: url for url, number in web.numbers.items()}
    scope = RecordedScope(web)
    queue = [web.numbers[url] for url in seeds]
    seen = set(queue)
    while queue:
        for number in onward[queue.pop()]:
            if number not in seen and not scope.refusal(urls[number], 1):
                seen.add(number)
                queue.append(number)
    return frozenset(url for url in map(urls.__getitem__, seen) if web.has_page(url))
