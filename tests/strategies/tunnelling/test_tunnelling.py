"""Tunnelling: the topic widens when nothing is found, and narrows again (``tunnelling``, ``wider``)."""

from __future__ import annotations

import pytest

from homing.checks.replays import ToyView, replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import UsageError
from homing.judge import Brief
from homing.judge.decimal import Decimal
from homing.model import Entry, Judgement, Link, Page, Priority, Topic, Visit
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.random_order import RandomOrder
from homing.strategies.tunnelling.tunnelling import Tunnelling
from homing.strategies.tunnelling.wider import WiderSubjects, WiderWords
from homing.taxonomy import Focus, Subject, Taxonomy
from homing.urls import key

SPORT = Taxonomy(
    [
        Subject(code="7", label="Leisure", terms=("leisure", "holiday")),
        Subject(code="79", label="Sport", terms=("sport", "team", "stadium")),
        Subject(code="796", label="Basketball", terms=("basketball", "dunk")),
        Subject(code="3", label="Society", terms=("law", "bank")),
    ]
)
TOPIC = Topic(text="basketball", codes=("796",), rate=lambda texts: [float("dunk" in text) for text in texts])


def visit(step: int, *around: str, relevant: bool = False, text: str = "") -> Visit:
    url = f"http://a.example/{step}"
    links = tuple(Link(url=f"{url}/{n}", around=words, place=n) for n, words in enumerate(around))
    judgement = Judgement(score=0.9 if relevant else 0.0, relevant=relevant, judge="test")
    entry = Entry(key=step, url=url, priority=Priority())
    return Visit(step=step, entry=entry, page=Page(url=url, text=text, links=links), judgement=judgement)


def begun(topic: Topic = TOPIC) -> Tunnelling:
    strategy = Tunnelling(window=10, taxonomy=SPORT)
    strategy.begin(topic)
    return strategy


def test_the_topic_is_widened_when_a_whole_window_has_too_few_pages_on_it() -> None:
    strategy = begun()
    levels = []
    for step in range(1, 31):
        strategy.learn(visit(step))
        levels.append(strategy.level)
    assert levels == [0] * 9 + [1] * 10 + [2] * 11


def test_it_is_narrowed_again_when_there_are_enough_and_not_before_a_window_has_passed() -> None:
    strategy = begun()
    for step in range(1, 11):
        strategy.learn(visit(step))
    levels = []
    for step in range(11, 32):
        strategy.learn(visit(step, relevant=True))
        levels.append(strategy.level)
    assert levels == [1] * 9 + [0] * 12


def test_between_the_two_bounds_nothing_changes() -> None:
    strategy = begun()
    for step in range(1, 100):
        strategy.learn(visit(step, relevant=step % 4 == 0))
    assert strategy.level == 0


def test_a_wider_topic_raises_links_that_speak_of_it_and_lowers_none() -> None:
    strategy = begun()
    of = visit(20, "a dunk", "a sport for the team", "the law")
    narrow = [each.priority.score for each in strategy.score(of)]
    assert narrow == pytest.approx([0.75, 0.0, 0.0])
    strategy.level = 1
    dunk, sport, law = strategy.score(of)
    assert dunk.priority.score == pytest.approx(0.75)
    assert dunk.why == (("page", 0.0), ("context", 0.75))
    assert sport.priority.score == pytest.approx(0.75 * 2 / 2.5)
    assert dict(sport.why) == pytest.approx({"wider page": 0.0, "wider context": 0.6})
    assert law.priority.score == 0.0


def test_frontier_urls_are_re_ranked_when_the_topic_has_changed() -> None:
    strategy = begun()
    first = visit(1, "the law", "sport and stadium", "unknown")
    strategy.learn(first)
    urls = [link.url for link in first.page.links]
    entries = [Entry(key=key(url), url=url, priority=Priority(), seq=n) for n, url in enumerate(urls)]
    view = ToyView(entries=entries, queue=[0, 1], onward={}, scores={})
    assert strategy.rerank(view) is None
    for step in range(2, 11):
        strategy.learn(visit(step))
    ranking = strategy.rerank(view)
    assert ranking is not None
    assert ranking.keys.tolist() == [key(url) for url in urls[:2]]
    assert ranking.scores.tolist() == pytest.approx([0.0, 0.6], abs=1e-4)
    assert strategy.rerank(view) is None


def test_what_lies_above_a_highest_subject_is_no_topic() -> None:
    focus = Focus(SPORT)
    assert WiderSubjects(focus, ("796",), levels=2).levels == 2
    assert WiderSubjects(focus, ("79",), levels=2).levels == 1
    assert WiderSubjects(focus, ("7",), levels=2).levels == 0


def test_a_code_the_taxonomy_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match=r'the taxonomy has no code "55"'):
        begun(Topic(text="", codes=("55",), rate=lambda texts: [0.0] * len(texts)))


def test_codes_are_derived_if_wanted() -> None:
    """With a code, above basketball there is sport; without one, a word that no page has is no part of it."""
    links = visit(11, "a team in its stadium")
    for text, derive, is_sport in (("dunk", True, True), ("dunk", False, False), ("chess", True, False)):
        strategy = Tunnelling(window=10, taxonomy=SPORT, derive=derive)
        strategy.begin(Topic(text=text, rate=lambda texts: [0.0] * len(texts)))
        for step in range(11):
            strategy.learn(visit(step))
        assert strategy.level == 1
        strategy.learn(links)
        [proposal] = strategy.score(links)
        assert (proposal.priority.score > 0.5) is is_sport


def test_a_term_said_twice_counts_once() -> None:
    words = WiderWords(Topic(text="garden flower meadow lawn", rate=lambda texts: []), levels=2)
    assert words.rate(["lawn and lawns", "a garden, a lawn, a meadow", ""], "en") == [
        pytest.approx([1 / 3, 2 / 4, 0]),
        pytest.approx([0, 1 / 3, 0]),
    ]


def test_without_codes_the_most_specific_terms_are_left_out() -> None:
    words = WiderWords(Topic(text="butterfly gardening", rate=lambda texts: []), levels=2)
    for step in range(1, 51):
        words.learn(visit(step, text="garden " * (step % 3 == 0) + "weather"))
    first, second = words.rate(["a butterfly", "a garden", "the weather"], "en")
    assert first == second == [0.0, pytest.approx(1 / 3), 0.0]


def test_what_pages_on_the_topic_have_in_common_becomes_part_of_it() -> None:
    examples = tuple(Page(url=f"e{n}", text=f"dunk{n} basketball player team") for n in range(4))
    words = WiderWords(Topic(text="basketball", examples=examples, rate=lambda texts: []), levels=1)
    for step in range(1, 76):
        text = "a team with a player" if step % 4 == 0 else "law and weather"
        words.learn(visit(step, text=text, relevant=False))
    (ratings,) = words.rate(["player", "team", "basketball", "dunk1", "law"], "en")
    assert ratings == pytest.approx([1 / 3, 1 / 3, 0, 0, 0])


@pytest.mark.parametrize("seed", range(5))
def test_it_beats_those_who_do_not_read(seed: int) -> None:
    web = toy_web(seed=seed)
    mine = replay(web, Tunnelling(), pages=72).harvest
    assert mine > replay(web, BreadthFirst(), pages=72).harvest
    assert mine > replay(web, RandomOrder(), pages=72).harvest


def test_it_widens_and_passes_the_battery_where_it_changes_often() -> None:
    check_strategy(lambda: Tunnelling(window=10, low=0.3, high=0.4, remember=500))


def test_it_goes_along_with_the_judge_that_knows_codes() -> None:
    web = toy_web(seed=0)
    judge = Decimal(Brief(text="butterflies"))
    assert judge.topic().codes
    result = replay(web, Tunnelling(window=20), pages=72, judge=judge)
    assert result.harvest > replay(web, BreadthFirst(), pages=72).harvest
