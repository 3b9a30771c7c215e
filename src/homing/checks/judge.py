"""The battery every judge passes, ours and those of plug-ins.

>>> from homing.judge.keywords import Keywords
>>> check_judge(Keywords)
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from statistics import mean

from homing.checks.webs import ToyWeb, toy_web
from homing.judge import Brief, Judge
from homing.model import Page

Make = Callable[[Brief], Judge]


def check_judge(make: Make) -> None:
    """Raise ``AssertionError`` with a sentence if a judge breaks a promise the crawl relies on.

    Parameters
    ----------
    make
        Builds a judge from what a user says of the topic, here the toy web's: a word, three pages that are
        on the topic and three that are not. The class itself, if its defaults will do.
    """
    web = toy_web(seed=0)
    judge = make(web.brief())
    assert judge.name, "a judge needs a name"
    assert judge.summary, "a judge needs a docstring: its first line is shown to users"
    check_odd_pages(judge)
    check_copies(judge, web)
    check_ratings(judge, web)
    check_sense(judge, web)


def check_odd_pages(judge: Judge) -> None:
    """Check that empty, huge and broken pages get a proper judgement."""
    here = "http://odd.example/"
    for page in (
        Page(url=here),
        Page(url=here, title="butterflies"),
        Page(url=here, text="\x00\x00 \ud800 \u202e butterflies", headings=("", " ")),
        Page(url=here, text="butterfly " * 100_000),
        Page(url=here, text="x" * 1_000_000),
        Page(url=here, text="蝴蝶" * 10_000, language="zh"),
    ):
        _check_judgement(judge, page)


def check_copies(judge: Judge, web: ToyWeb) -> None:
    """Check that the same page gets the same judgement, also from a copy in another process."""
    copy: Judge = pickle.loads(pickle.dumps(judge))  # noqa: S301  (our own object, as workers receive it)
    for page in list(web.pages.values())[::20]:
        _check_judgement(judge, page)
        assert judge.judge(page) == judge.judge(page), "one page gets two judgements"
        assert judge.judge(page) == copy.judge(page), "a copy judges otherwise"


def check_ratings(judge: Judge, web: ToyWeb) -> None:
    """Check that each short text is rated from 0 to 1, whatever texts are beside it."""
    links = [link for url in (web.home, min(web.targets)) for link in web.pages[url].links]
    texts = [*(link.around for link in links), "", "\x00", "\ud800", "butterfly", "蝴蝶"]
    ratings = judge.rate(texts)
    assert len(ratings) == len(texts), "rate() must give one rating a text"
    assert all(0 <= rating <= 1 for rating in ratings), "ratings must be from 0 to 1"
    assert judge.rate([]) == [], "rate() must take an empty list"
    alone = [judge.rate([text])[0] for text in texts]
    assert all(map(math.isclose, alone, ratings)), "a text is rated otherwise beside other texts"
    assert judge.topic().rate(texts) == ratings, "the topic must rate as its judge does"


def check_sense(judge: Judge, web: ToyWeb) -> None:
    """Check that pages and links on the topic score higher than others."""
    on_topic = [judge.judge(web.pages[url]).score for url in web.targets]
    others = [judge.judge(page).score for url, page in web.pages.items() if url not in web.targets]
    assert mean(on_topic) > mean(others), "pages on the topic do not score higher than others"
    links = [link for page in web.pages.values() for link in page.links]
    ratings = judge.rate([link.around for link in links])
    right = [rating for link, rating in zip(links, ratings, strict=True) if link.url in web.targets]
    wrong = [rating for link, rating in zip(links, ratings, strict=True) if link.url not in web.targets]
    assert mean(right) > mean(wrong), "links to the topic are not rated higher than others"


def _check_judgement(judge: Judge, page: Page) -> None:
    judgement = judge.judge(page)
    assert 0 <= judgement.score <= 1, f"a score must be from 0 to 1, not {judgement.score}"
    assert judgement.relevant == (judgement.score >= 0.5), "relevant means a score of one half or more"
    assert judgement.judge == judge.name, "a judgement names its judge"
    parts = [value for _, value in judgement.why]
    assert all(map(math.isfinite, parts)), "a part of the score is not finite"
    assert parts == sorted(parts, key=abs, reverse=True), "the words that decided come heaviest first"
