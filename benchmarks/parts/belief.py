"""What do hmm, memm and crf cost: to fit to 10,000 walks, and a page of 60 links in the crawl?

The web is made up: 3,000 pages with 60 links each, most of them to pages of their own subject; one in fifty
pages is a target. The paper took 840 seconds to fit to the same number of walks. The ratio is to
link-context, which rates the same links. Rounds alternate, and the fastest of each counts.
"""

import random
import time
from collections.abc import Callable
from functools import partial

from benchmarks.report import Result
from benchmarks.words import Words
from homing.judge.keywords import Keywords
from homing.model import Entry, Link, Page, Priority, Visit
from homing.strategies import Strategy
from homing.strategies.link_context import LinkContext
from homing.strategies.trained.sequence.crf import Crf
from homing.strategies.trained.sequence.hmm import Hmm
from homing.strategies.trained.sequence.memm import Memm
from homing.trails import LocalGraph

PAGES = 3_000
LINKS = 60
SUBJECTS = 50
WALKS = 10_000
VISITS = 60
ROUNDS = 5
FIT_BAR = 90
PAGE_BAR = 5.0
TOPIC = "butterflies"

WORDS = Words()


def run() -> list[Result]:
    pages = [_page(number) for number in range(PAGES)]
    graph = LocalGraph(pages, {_url(number) for number in range(0, PAGES, SUBJECTS)})
    judge = Keywords(TOPIC)
    visits = [_visit(page, judge) for page in pages[:VISITS]]
    results, works = [], {}
    for make in (Hmm, Memm, Crf):
        trained, crawling = make(walks=WALKS), make()
        trained.begin(judge.topic())
        took = _measured(partial(trained.fit, graph))
        results.append(
            Result(f"{make.name}: fit to {WALKS:,} walks", f"{took:.1f} s", f"≤ {FIT_BAR} s", took <= FIT_BAR)
        )
        crawling.give(trained.model())
        works[make.name] = crawling
    plain, *figures = _fastest([LinkContext(), *works.values()], visits, judge)
    for name, took in zip(works, figures, strict=True):
        bar = f"≤ {PAGE_BAR:g} ms"
        results.append(Result(f"{name}: a page of {LINKS} links", f"{took:.2f} ms", bar, took <= PAGE_BAR))
        results.append(Result("  of link-context", f"{took / plain:.1f} times"))
    return results


def _fastest(strategies: list[Strategy], visits: list[Visit], judge: Keywords) -> list[float]:
    """Return the least CPU time of each strategy, in milliseconds a page."""
    for strategy in strategies:
        strategy.begin(judge.topic())

    def crawl(strategy: Strategy) -> None:
        for visit in visits:
            strategy.learn(visit)
            list(strategy.score(visit))

    rounds = [[_measured(partial(crawl, one)) for one in strategies] for _ in range(ROUNDS)]
    return [min(times) / len(visits) * 1_000 for times in zip(*rounds, strict=True)]


def _measured(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _url(number: int) -> str:
    return f"http://host-{number % 20}.example/{number}"


def _page(number: int) -> Page:
    dice = random.Random(number)
    subject = number % SUBJECTS
    links = []
    for place in range(LINKS):
        other = dice.randrange(PAGES)
        if dice.random() < 0.7:
            other = other // SUBJECTS * SUBJECTS + (subject + dice.choice((-1, 0, 0, 1))) % SUBJECTS
        anchor = f"{_name(other % SUBJECTS)} {WORDS.draw(dice, 2)}"
        around = f"{WORDS.draw(dice, 8)} {anchor} {WORDS.draw(dice, 8)}"
        links.append(Link(url=_url(other % PAGES), anchor=anchor, around=around, place=place))
    return Page(
        url=_url(number),
        title=f"{_name(subject)} {WORDS.draw(dice, 3)}",
        description=WORDS.draw(dice, 10),
        headings=tuple(WORDS.draw(dice, 4) for _ in range(8)),
        text=f"{WORDS.draw(dice, 1_500)} {_name(subject)}",
        links=tuple(links),
        language="en",
    )


def _name(subject: int) -> str:
    return WORDS.words[1_000 + subject] if subject else TOPIC


def _visit(page: Page, judge: Keywords) -> Visit:
    entry = Entry(key=0, url=page.url, priority=Priority())
    return Visit(step=0, entry=entry, page=page, judgement=judge.judge(page))
