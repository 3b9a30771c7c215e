"""What does ``adaptive`` cost with a large frontier, and what does it keep of every queued URL?

A crawl of made-up pages with 60 links each, most of them new, runs until 100,000 URLs are queued; the
strategy re-ranks them as often as in any crawl. CPU time is that of ``learn``, ``score`` and ``rerank`` over
the second half of the crawl; the ratio is to link-context over the same pages. Memory is all that the
strategy holds at the end, divided by the number of queued URLs.
"""

import random
import time
import tracemalloc
from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Result
from benchmarks.words import Words
from homing.judge import Brief, Judge
from homing.judge.examples import Examples
from homing.model import Entry, Link, Page, Priority, Visit
from homing.strategies import Strategy
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.link_context import LinkContext
from homing.urls import key

QUEUED = 100_000
LINKS = 60
NEW = 45
"""Links of a page to unknown URLs; the others lead to queued ones."""
BAR = 2.5
BYTES = 400
_ROUNDS = 3
"""The fastest counts: other work of the machine is not the strategy's fault."""
WORDS = Words()


def run() -> list[Result]:
    examples = tuple(page for page, _ in zip(_pages(random.Random(0)), range(8), strict=False))
    judge = Examples(Brief(text="made up", examples=examples))
    plain = min(_crawl(LinkContext(), judge)[0] for _ in range(_ROUNDS))
    took = min(_crawl(Adaptive(), judge)[0] for _ in range(_ROUNDS))
    tracemalloc.start()
    _, held = _crawl(Adaptive(), judge)
    tracemalloc.stop()
    return [
        Result(
            f"adaptive: a page of {LINKS} links, {QUEUED:,} URLs queued",
            f"{took:.2f} ms, {took / plain:.2g} × link-context",
            f"≤ {BAR} ms",
            took <= BAR,
        ),
        Result("  memory a queued URL", f"{held:.0f} bytes", f"≤ {BYTES} bytes", held <= BYTES),
    ]


def _crawl(strategy: Strategy, judge: Judge) -> tuple[float, float]:
    """Return milliseconds a page in the second half, and bytes a queued URL if they are traced."""
    dice, view = random.Random(1), _View()
    strategy.begin(judge.topic())
    before, _ = tracemalloc.get_traced_memory()
    spent, steps = 0.0, 0
    for step, page in enumerate(_pages(dice, view), start=1):
        visit = _visit(step, page, judge)
        began = time.process_time()
        strategy.learn(visit)
        for _ in strategy.score(visit):
            pass
        if strategy.rerank_every and step % strategy.rerank_every == 0:
            strategy.rerank(view)
        if len(view.numbers) > QUEUED // 2:
            spent, steps = spent + time.process_time() - began, steps + 1
        view.numbers.extend(key(link.url) for link in page.links[:NEW])
        if len(view.numbers) >= QUEUED:
            break
    mine = sum(each.size for each in tracemalloc.take_snapshot().traces) if tracemalloc.is_tracing() else 0
    return spent / steps * 1_000, (mine - before) / len(view.numbers) if mine else 0.0


class _View:
    """The frontier, as far as ``adaptive`` looks at it."""

    def __init__(self) -> None:
        self.numbers = array("q")

    def waiting(self) -> NDArray[np.int64]:
        return np.arange(len(self.numbers))

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.frombuffer(self.numbers, np.int64)[seqs]

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        return np.zeros(len(seqs), np.int32), np.zeros(len(seqs))

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return np.zeros(0, np.int64), np.zeros(0)


def _pages(dice: random.Random, view: _View | None = None) -> Iterator[Page]:
    """Yield pages without end, in paragraphs of three links; each is a URL that is queued."""
    number = 0
    while True:
        targets = [*range(NEW * number + 1, NEW * (number + 1) + 1)]
        targets += [dice.randrange(NEW * number + 1) for _ in range(LINKS - NEW)]
        texts = [WORDS.draw(dice, 20) for _ in targets]
        links = tuple(
            Link(
                url=_url(target),
                anchor=" ".join(text.split()[9:11]),
                around=text,
                block=texts[place // 3],
                path=f"html/body/div/p{place % 4}/a",
                place=place,
            )
            for place, (target, text) in enumerate(zip(targets, texts, strict=True))
        )
        yield Page(
            url=_url(number), title=WORDS.draw(dice, 5), text=" ".join(texts[:10]), links=links, language="en"
        )
        number += 1


def _url(number: int) -> str:
    name = WORDS.draw(random.Random(number), 2).replace(" ", "-")
    return f"http://host-{number % 50}.example/{number % 7}/{name}-{number}"


def _visit(step: int, page: Page, judge: Judge) -> Visit:
    entry = Entry(key=key(page.url), url=page.url, priority=Priority(score=0.5), seq=step)
    return Visit(step=step, entry=entry, page=page, judgement=judge.judge(page))
