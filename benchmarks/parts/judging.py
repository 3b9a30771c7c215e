"""What does it cost to judge a page and to rate its links?

A parsed page of 10 KB of text is judged, and the windows around its 60 links are rated in one call, as in a
crawl. The ratio is to counting the words of the same pages (``text.words.bag``), which most judges must do
first. Rounds of all judges alternate, and the fastest of each counts.
"""

import random
import time
from collections.abc import Callable, Sequence

from benchmarks.report import Result
from benchmarks.words import Words
from homing.judge import JUDGES, Brief, Judge
from homing.model import Page
from homing.text.words import bag

PAGES = 100
ROUNDS = 7
LETTERS = 10_000
LINKS = 60
WINDOW = 20
BARRED = ("keywords", "examples", "bayes", "svm")
BAR = 1.5
TOPIC = """garden gardens gardening butterfly butterflies caterpillar nectar flower flowers bloom meadow shrub
    lawn hedge soil seed seeds plant plants planting bee bees moth wings insect insects habitat native spring
    summer leaf leaves root petals pollen""".split()


WORDS = Words()


def run() -> list[Result]:
    pages = [_page(number, about=TOPIC if number % 2 else []) for number in range(PAGES)]
    brief = Brief(
        text="butterflies in the garden",
        examples=tuple(_page(number, about=TOPIC) for number in range(1_000, 1_030)),
        unlabelled=tuple(_page(number) for number in range(2_000, 2_300)),
    )
    works = {name: _judging(JUDGES.get(name)(brief), pages) for name in JUDGES.names()}
    plain, *figures = _fastest([_counting(pages), *works.values()])
    results = [Result("counting the words of the page", f"{plain:.2f} ms")]
    for name, took in zip(works, figures, strict=True):
        bar, reached = (f"≤ {BAR} ms", took <= BAR) if name in BARRED else ("", None)
        results.append(Result(f"{name}: a page and {LINKS} windows", f"{took:.2f} ms", bar, reached))
        results.append(Result("  of counting the words", f"{took / plain:.1f} times"))
    return results


def _fastest(works: list[Callable[[], None]]) -> list[float]:
    """Return the least CPU time of each work, in milliseconds a page."""
    rounds = [[_measured(work) for work in works] for _ in range(ROUNDS)]
    return [min(times) / PAGES * 1_000 for times in zip(*rounds, strict=True)]


def _measured(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _counting(pages: list[Page]) -> Callable[[], None]:
    def work() -> None:
        for page in pages:
            bag(page.text)

    return work


def _judging(judge: Judge, pages: list[Page]) -> Callable[[], None]:
    links = [_windows(page) for page in pages]

    def work() -> None:
        for page, windows in zip(pages, links, strict=True):
            judge.judge(page)
            judge.rate(windows)

    return work


def _page(number: int, *, about: Sequence[str] = ()) -> Page:
    """Return a page of ordinary words, every tenth of them about the topic if there is one."""
    dice = random.Random(number)
    said = WORDS.draw(dice, LETTERS // 4).split()
    for place in range(0, len(said) if about else 0, 10):
        said[place] = dice.choice(about)
    url = f"http://host-{number}.example/"
    return Page(url=url, title=" ".join(said[:5]), text=" ".join(said)[:LETTERS], language="en")


def _windows(page: Page) -> list[str]:
    said = page.text.split()
    step = (len(said) - WINDOW) // LINKS
    return [" ".join(said[place * step : place * step + WINDOW]) for place in range(LINKS)]
