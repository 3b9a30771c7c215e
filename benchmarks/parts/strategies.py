"""What does every strategy cost a page: ``learn`` and ``score`` with 60 links?

The pages are made up and parsed: 10 KB of text in 30 paragraphs under headings, two links in each, much as in
an encyclopedia; every other page is on the topic. Trained strategies have a model: those that follow walks
are fitted to few of them, which makes no difference here, ``treasure`` to as many passages as its graph can
hold, with its gate closed to links of other subjects. Each strategy runs with two judges behind
``topic.rate``. The ratio is to link-context, which rates the same links and does little else. Rounds of all
strategies alternate, and the fastest of each counts.
"""

import random
import time
from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.report import Result
from benchmarks.words import Words
from homing.judge import Brief, Judge
from homing.judge.examples import Examples
from homing.judge.keywords import Keywords
from homing.model import Entry, Page, Priority, Reply, Visit
from homing.parse import PageParser
from homing.registry import make
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.trained.base import Trained
from homing.strategies.trained.treasure.tgraph import MAX_NODES
from homing.strategies.trained.treasure.treasure import Treasure
from homing.trails import LocalGraph
from homing.urls import key

PAGES = 200
VISITS = 60
PARAGRAPHS = 30
LINKS = 60
WORDS_A_PARAGRAPH = 58
ROUNDS = 7
BAR = 1.0
BARS = {"hmm": 5.0, "memm": 5.0, "crf": 5.0, "treasure": 5.0, "layered": 5.0, "adaptive": 2.5}
"""Strategies that may take longer."""
WALKS = 500
PARAMETERS: Mapping[str, Mapping[str, object]] = {
    "hmm": {"walks": WALKS},
    "memm": {"walks": WALKS},
    "crf": {"walks": WALKS},
    "treasure": {"derive": True},
}
ALSO: Mapping[str, Mapping[str, object]] = {"tunnelling": {"derive": True}}
"""Strategies measured once more, because they work differently with these parameters."""
TOPIC = """butterfly butterflies moth moths caterpillar caterpillars cocoon chrysalis pupa silkworm
    lepidoptera insect insects wings""".split()
SAID = "butterflies and moths"

WORDS = Words()


def run() -> list[Result]:
    parser = PageParser()
    pages = [_page(number, parser) for number in range(PAGES)]
    graph = LocalGraph(pages, {page.url for page in pages[::2]})
    on_topic = tuple(pages[:VISITS:2])
    judges: list[Judge] = [Keywords(SAID), Examples(Brief(text=SAID, examples=on_topic))]
    results = []
    for judge in judges:
        visits = [_visit(seq, page, judge) for seq, page in enumerate(pages[:VISITS])]
        figures = _measure(judge, graph, visits)
        plain = figures["link-context"]
        for name, took in figures.items():
            bar = BARS.get(name, BAR)
            what = f"{name}: a page of {LINKS} links, {judge.name}"
            results.append(Result(what, f"{took:.2f} ms, {took / plain:.2g} ×", f"≤ {bar:g} ms", took <= bar))
    return results


def _measure(judge: Judge, graph: LocalGraph, visits: list[Visit]) -> dict[str, float]:
    """Return the least CPU time of each strategy, in milliseconds a page."""
    ready = {name: _ready(name, PARAMETERS.get(name, {}), judge, graph) for name in STRATEGIES.names()}
    ready |= {f"{name} ({_said(also)})": _ready(name, also, judge, graph) for name, also in ALSO.items()}
    rounds = [[_measured(partial(_crawl, one, visits)) for one in ready.values()] for _ in range(ROUNDS)]
    fastest = (min(times) / len(visits) * 1_000 for times in zip(*rounds, strict=True))
    return dict(zip(ready, fastest, strict=True))


def _ready(name: str, parameters: Mapping[str, object], judge: Judge, graph: LocalGraph) -> Strategy:
    """Return the strategy as at the start of a crawl, with a model if it takes one."""
    strategy = make(STRATEGIES.get(name), parameters)
    strategy.begin(judge.topic())
    if isinstance(strategy, Trained):
        strategy.fit(graph)
        strategy.give(strategy.model())
    if isinstance(strategy, Treasure):
        nodes = strategy.model()["nodes"]
        assert isinstance(nodes, list)
        assert len(nodes) == MAX_NODES
        assert strategy.codes
    return strategy


def _said(parameters: Mapping[str, object]) -> str:
    return ", ".join(parameters)


def _crawl(strategy: Strategy, visits: list[Visit]) -> None:
    for visit in visits:
        strategy.learn(visit)
        for _ in strategy.score(visit):
            pass


def _measured(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _page(number: int, parser: PageParser) -> Page:
    """Return a page; if its number is even, every tenth word and a word of every link are on the topic."""
    dice = random.Random(number)
    parts = [
        f"<!doctype html><html lang=en><title>{WORDS.draw(dice, 5)}</title><h1>{WORDS.draw(dice, 4)}</h1>"
    ]
    others = iter(dice.sample(range(PAGES), LINKS))
    for place in range(PARAGRAPHS):
        if place % 3 == 0:
            parts.append(f"<h{2 + place % 2}>{WORDS.draw(dice, 3)}</h{2 + place % 2}>")
        said = WORDS.draw(dice, WORDS_A_PARAGRAPH).split()
        if number % 2 == 0:
            said[::10] = dice.choices(TOPIC, k=len(said[::10]))
        for at in (20, 40):
            other = next(others)
            said[at] = f"<a href={_url(other)}>{dice.choice(TOPIC) if other % 2 == 0 else ''} {said[at]}</a>"
        parts.append(f"<p>{' '.join(said)}.</p>")
    url = _url(number)
    body = "".join(parts).encode()
    headers = (("content-type", "text/html; charset=utf-8"),)
    return parser.read(Reply(url=url, final_url=url, status=200, headers=headers, body=body))


def _url(number: int) -> str:
    return f"http://host-{number % 20}.example/{number}"


def _visit(seq: int, page: Page, judge: Judge) -> Visit:
    entry = Entry(key=key(page.url), url=page.url, priority=Priority(score=0.5), seq=seq)
    return Visit(step=seq, entry=entry, page=page, judgement=judge.judge(page))
