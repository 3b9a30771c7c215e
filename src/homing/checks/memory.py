"""Checks that the memory of a strategy is bounded."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType

from msgspec import Struct

from homing.checks.replays import ToyView, check_ranking
from homing.model import Entry, Judgement, Link, Page, Priority, Topic, Visit
from homing.ports import Strategy
from homing.urls import key

_ROUND = 300
_SAVED_A_PAGE = 1_024
"""Bytes by which the state may grow a page of six links: numbers and addresses, but not the page's words."""
_HELD_A_PAGE = 4_096
"""The same in memory, where each number and address is an object."""


def check_memory(strategy: Strategy) -> None:
    """Check that what a strategy saves and holds is bounded, or grows by a few numbers a page.

    It visits nine hundred pages, each with words and addresses of its own.
    """
    known: dict[str, Entry] = {}
    onward: dict[int, list[int]] = {}
    scores: dict[int, float] = {}
    saved, held = [], []
    for step, visit in enumerate(_stream(3 * _ROUND), start=1):
        strategy.learn(visit)
        list(strategy.score(visit))
        urls = [visit.page.url, *(link.url for link in visit.page.links)]
        for url in urls:
            known.setdefault(url, Entry(key=key(url), url=url, priority=Priority(), seq=len(known)))
        page, *targets = (known[url].seq for url in urls)
        onward[page], scores[page] = targets, visit.judgement.score
        if step % _ROUND == 0:
            waiting = [each.seq for each in known.values() if each.seq not in scores]
            view = ToyView(entries=tuple(known.values()), queue=waiting, onward=onward, scores=scores)
            if strategy.rerank_every:
                ranking = strategy.rerank(view)
                if ranking is not None:
                    check_ranking(ranking)
            saved.append(len(json.dumps(strategy.state())))
            held.append(_size(strategy))
    grown, more = (saved[-1] - saved[-2]) / _ROUND, (held[-1] - held[-2]) / _ROUND
    assert grown <= _SAVED_A_PAGE, f"the state grows by {grown:.0f} bytes a page and has no end"
    assert more <= _HELD_A_PAGE, f"the strategy grows by {more:.0f} bytes of memory a page and has no end"


def _stream(count: int) -> Iterator[Visit]:
    """Yield visits to small pages that have few words in common, one in five of them on the topic."""
    site, links = "http://stream.example/page", 6
    for step in range(1, count + 1):
        words = [f"w{step}x{number}" for number in range(60)]
        about = "butterfly" if step % 5 == 0 else "train"
        targets = (*range(links * step, links * step + links - 1), step - 1)
        page = Page(
            url=f"{site}/{step}",
            title=f"{about} {words[0]}",
            headings=(words[1],),
            text=" ".join([*words, about, "about every family and their garden"] * 2),
            links=tuple(
                _stream_link(f"{site}/{target}", n, words, about) for n, target in enumerate(targets)
            ),
            language="en",
        )
        score = 0.9 if step % 5 == 0 else 0.1
        yield Visit(
            step=step,
            entry=Entry(key=key(page.url), url=page.url, priority=Priority(score=0.5), seq=step),
            page=page,
            judgement=Judgement(score=score, relevant=score >= 0.5, judge="stream"),
        )


def _stream_link(url: str, place: int, words: list[str], about: str) -> Link:
    anchor = f"{about} {words[10 + place]}"
    around = " ".join([*words[20:28], anchor, *words[30:38]])
    return Link(url=url, anchor=anchor, around=around, block=around, headings=(words[1],), place=place)


def _size(root: object) -> int:
    """Return the bytes of an object and of all it holds, but for the topic, which belongs to the judge."""
    total, seen, waiting = 0, set(), [root]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | FunctionType | MethodType | ModuleType | Topic):
            continue
        seen.add(id(each))
        total += sys.getsizeof(each)
        if isinstance(each, Struct):  # those without garbage collection do not tell what they hold
            waiting += [getattr(each, name) for name in each.__struct_fields__]
        else:
            waiting += gc.get_referents(each)
    return total
