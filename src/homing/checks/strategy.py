"""The battery every strategy passes, ours and those of plug-ins.

>>> from homing.strategies.link_context import LinkContext
>>> check_strategy(LinkContext)
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

from msgspec.structs import replace

from homing import ports
from homing.checks.memory import check_memory
from homing.checks.replays import ToyCrawl
from homing.checks.webs import ToyWeb, toy_web
from homing.judge import Judge
from homing.judge.keywords import Keywords
from homing.model import Entry, Failure, Judgement, Link, Page, Priority, Proposal, Visit
from homing.registry import make as build
from homing.strategies import Strategy

Make = Callable[[], Strategy]

_STOPS = (60, 130, 160)
"""Pages after which a crawl is stopped and resumed: before and after the first fit, and at the end."""


def check_strategy(make: Make) -> None:
    """Raise ``AssertionError`` with a sentence if a strategy breaks a promise the crawl relies on.

    Parameters
    ----------
    make
        Creates a strategy at each call, always with the same parameters: the class itself, if its defaults
        will do.
    """
    web = toy_web(seed=0)
    judge = Keywords(web.topic)
    visits = _visits(web, judge)
    check_parameters(make())
    check_start_and_missed(_begun(make, judge))
    check_purity(_begun(make, judge), visits)
    check_repeatability(make, judge, visits)
    check_restoring(make, judge, visits)
    check_merge(_begun(make, judge), visits)
    check_odd_pages(make, judge)
    check_crawl(make, judge, web)
    check_memory(_begun(make, judge))


def check_parameters(strategy: Strategy) -> None:
    """Check that parameters are keywords only, have defaults and are kept under their own names."""
    assert strategy.name, "a strategy needs a name"
    assert strategy.summary, "a strategy needs a docstring: its first line is shown to users"
    # A field may have another name than its parameter: that of Adaptive's "learn" is a method's.
    attributes = {field.alias or name: name for name, field in type(strategy)._fields.items()}
    given: dict[str, object] = {}
    for name, parameter in inspect.signature(type(strategy)).parameters.items():
        assert parameter.kind is parameter.KEYWORD_ONLY, f"{name} must be a keyword-only parameter"
        assert parameter.default is not parameter.empty, f"{name} needs a default"
        attribute = attributes.setdefault(name, name)
        is_kept = hasattr(strategy, attribute) and not inspect.ismethod(getattr(strategy, attribute))
        assert is_kept, f"{name} must be kept as self.{attribute}"
        given[name] = getattr(strategy, attribute)
    again = build(type(strategy), given)
    others = [name for name, value in given.items() if getattr(again, attributes[name]) != value]
    assert not others, f"{', '.join(others)}: what a strategy keeps must build the same strategy again"


def check_start_and_missed(strategy: Strategy) -> None:
    """Check that a seed gets a finite priority, and that neither it nor a failed fetch changes anything."""
    before = _saved(strategy)
    seed = strategy.start("http://seed.example/")
    assert seed.url == "http://seed.example/", "start() must propose the seed it was given"
    _check_finite([seed])
    entry = Entry(key=1, url=seed.url, priority=seed.priority, memo=seed.memo)
    _check_finite(strategy.missed(entry, Failure(url=seed.url, kind="timeout")))
    assert before == _saved(strategy), "start() or missed() changes the state: only learn() may"


def check_purity(strategy: Strategy, visits: Sequence[Visit]) -> None:
    """Check that ``score`` gives the same answer twice and changes nothing."""
    for visit in visits:
        strategy.learn(visit)
        before = _saved(strategy)
        first = list(strategy.score(visit))
        _check_finite(first)
        assert first == list(strategy.score(visit)), "score() gives two answers to one visit"
        assert before == _saved(strategy), "score() changes the state: only learn() may"


def check_repeatability(make: Make, judge: Judge, visits: Sequence[Visit]) -> None:
    """Check that two strategies propose the same after the same visits."""
    one, other = _begun(make, judge), _begun(make, judge)
    assert _proposed(one, visits) == _proposed(other, visits), "the same visits lead to different proposals"


def check_restoring(make: Make, judge: Judge, visits: Sequence[Visit]) -> None:
    """Check that a strategy restored from its state, by way of JSON, behaves as the one that went on."""
    half = len(visits) // 2
    running = _begun(make, judge)
    _proposed(running, visits[:half])
    saved = _saved(running)
    restored = _begun(make, judge)
    restored.restore(json.loads(saved))
    assert _saved(restored) == saved, "state() after restore() is not the state that was restored"
    rest = visits[half:]
    assert _proposed(running, rest) == _proposed(restored, rest), "a restored strategy goes another way"


def check_merge(strategy: Strategy, visits: Sequence[Visit]) -> None:
    """Check that the same priority remains in whatever order proposals for one URL arrive."""
    has_rule = type(strategy).merge is not Strategy.merge
    assert strategy.additive or not has_rule, (
        "merge() is only called of strategies that declare additive = True"
    )
    by_url: dict[str, list[Proposal]] = {}
    for visit in visits:
        strategy.learn(visit)
        for proposal in strategy.score(visit):
            by_url.setdefault(proposal.url, []).append(proposal)
    for url, proposals in by_url.items():
        outcomes = [_merged(strategy, order).priority for order in permutations(proposals[:4])]
        for outcome in outcomes[1:]:
            same = outcome.tier == outcomes[0].tier and math.isclose(outcome.score, outcomes[0].score)
            assert same, f"merge() depends on the order in which proposals for {url} arrive"


def check_odd_pages(make: Make, judge: Judge) -> None:
    """Check pages without links, text, headings or anchors, and one with 5,000 links.

    Each is visited by a strategy that has seen nothing, and by one that has seen all those before it.
    """
    here = "http://odd.example/"
    many = tuple(Link(url=f"{here}{number}", anchor="butterfly", place=number) for number in range(5_000))
    links: list[tuple[Link, ...]] = [
        (),
        (),
        (Link(url=f"{here}bare"),),
        (Link(url=f"{here}3"), Link(url=f"{here}twice"), Link(url=f"{here}twice")),
        (Link(url=f"{here}odd", anchor="\x00", around="\ud800 蝶"),),
        many,
        (Link(url=f"{here}4", headings=("", "butterfly"), rel="nofollow", place=7),),
    ]
    pages = [Page(url=f"{here}{number}", links=each) for number, each in enumerate(links)]
    pages[1] = replace(pages[1], text="butterfly " * 50)
    pages[4] = replace(pages[4], title="\x00 \ud800 蝴蝶")
    pages[5] = replace(pages[5], text="butterfly", headings=("", "  "))
    seasoned = _begun(make, judge)
    shown = {page.url for page in pages}
    for step, page in enumerate(pages, start=1):
        shown |= {link.url for link in page.links}
        for strategy in (_begun(make, judge), seasoned):
            visit = _visit(step, page, judge.judge(page))
            strategy.learn(visit)
            proposals = list(strategy.score(visit))
            _check_finite(proposals)
            unknown = {each.url for each in proposals} - shown
            assert not unknown, f"proposes URLs that no page has shown: {sorted(unknown)[:3]}"
            _saved(strategy)


def check_crawl(make: Make, judge: Judge, web: ToyWeb) -> None:
    """Check that a crawl with stops, re-ranks, failures and three pages in flight is as one without stops."""
    straight, stopped = (_crawl(make, judge, web) for _ in range(2))
    straight.run(_STOPS[-1])
    for pages in _STOPS:
        stopped.run(pages)
        saved = _saved(stopped.strategy)
        stopped.strategy = _begun(make, judge)
        stopped.strategy.restore(json.loads(saved))
    assert straight.order == stopped.order, "a crawl with stops takes pages in another order"
    assert straight.entries == stopped.entries, "a crawl with stops ranks URLs otherwise"
    assert _saved(straight.strategy) == _saved(stopped.strategy), "stops leave traces in the state"


def _visits(web: ToyWeb, judge: Judge) -> list[Visit]:
    """Return visits to every fifth page of the web, as a crawl might meet them."""
    pages = list(web.pages.values())[::5]
    return [_visit(step, page, judge.judge(page)) for step, page in enumerate(pages)]


def _visit(step: int, page: Page, judgement: Judgement) -> Visit:
    entry = Entry(key=step, url=page.url, priority=Priority(score=0.5), depth=step % 4, seq=step)
    return Visit(step=step, entry=entry, page=page, judgement=judgement)


def _crawl(make: Make, judge: Judge, web: ToyWeb) -> ToyCrawl:
    """Return a crawl in which every tenth page cannot be fetched."""
    return ToyCrawl(web, make(), judge=judge, dead=list(web.pages)[9::10], in_flight=3)


def _begun(make: Make, judge: Judge) -> Strategy:
    strategy = make()
    strategy.begin(judge.topic())
    return strategy


def _proposed(strategy: Strategy, visits: Iterable[Visit]) -> list[list[Proposal]]:
    proposed = []
    for visit in visits:
        strategy.learn(visit)
        proposed.append(list(strategy.score(visit)))
    return proposed


def _saved(strategy: ports.Strategy) -> str:
    """Return the state as JSON."""
    try:
        return json.dumps(strategy.state(), sort_keys=True)
    except TypeError as error:
        raise AssertionError(f"state() must be plain data that survives JSON: {error}") from None


def _merged(strategy: Strategy, proposals: Sequence[Proposal]) -> Entry:
    first = proposals[0]
    entry = Entry(key=0, url=first.url, priority=first.priority, memo=first.memo, why=first.why)
    for proposal in proposals[1:]:
        merged = strategy.merge(entry, proposal)
        assert merged.url == entry.url, "merge() must not change the URL"
        entry = replace(entry, priority=merged.priority, memo=merged.memo, why=merged.why)
    return entry


def _check_finite(proposals: Iterable[Proposal]) -> None:
    for proposal in proposals:
        numbers = [proposal.priority.score, *(value for _, value in proposal.why)]
        assert all(map(math.isfinite, numbers)), f"a score for {proposal.url} is not finite: {numbers}"
