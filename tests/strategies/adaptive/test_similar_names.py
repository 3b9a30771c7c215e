"""Pages whose names mean the like."""

import json

import numpy as np
import pytest

from homing.model import Page, Topic
from homing.strategies.adaptive.similar_names import Kindred
from homing.text.embeddings import known, summed

NOBODY = np.zeros(0, np.uint32)


def topic(*titles: str, text: str = "", keywords: tuple[str, ...] = ()) -> Topic:
    examples = tuple(Page(url=f"http://a.example/{title}", title=title) for title in titles)
    return Topic(text=text, keywords=keywords, examples=examples, rate=lambda texts: [0.0] * len(texts))


def asked(kindred: Kindred, *anchors: str) -> list[float]:
    rows, counts = known(anchors, most=6)
    found: list[float] = kindred.of(
        rows, np.repeat(np.arange(len(anchors)), counts), count=len(anchors)
    ).tolist()
    return found


def test_names_like_those_of_the_examples_are_worth_more_before_any_page_has_come() -> None:
    kindred = Kindred(remember=10)
    kindred.begin(topic("Sparrow", "Robin"))
    bird, train, nothing = asked(kindred, "thrush", "locomotive", "the 1914")
    assert bird > train >= nothing == 0


def test_a_topic_that_is_said_in_words_is_an_example() -> None:
    kindred = Kindred(remember=10)
    kindred.begin(topic(text="birds of the garden"))
    bird, train = asked(kindred, "thrush", "locomotive")
    assert bird > train


def test_keywords_are_names_only_where_there_is_nothing_better() -> None:
    alone, beside = Kindred(remember=10), Kindred(remember=10)
    alone.begin(topic(keywords=("locomotive",)))
    beside.begin(topic("Sparrow", keywords=("locomotive",)))
    assert asked(alone, "railway")[0] > asked(beside, "railway")[0]


def test_what_came_of_a_page_tells_of_others_that_are_called_alike() -> None:
    kindred = Kindred(remember=10)
    kindred.add(1, "Steam locomotives", NOBODY, score=0.9)
    kindred.add(2, "The sparrow", NOBODY, score=0.1)
    train, bird = asked(kindred, "railway", "thrush")
    assert train > 0 > bird


def test_a_page_is_called_by_its_anchors_too() -> None:
    kindred = Kindred(remember=10)
    kindred.add(1, "Untitled 1", known(["railway"], most=1)[0], score=0.9)
    kindred.add(2, "Untitled 2", known(["thrush"], most=1)[0], score=0.1)
    train, bird = asked(kindred, "locomotive", "sparrow")
    assert train > 0 > bird


def test_pages_that_turn_out_otherwise_count_so() -> None:
    kindred = Kindred(remember=10)
    kindred.add(1, "Railway", NOBODY, score=0.9)
    kindred.add(2, "Thrush", NOBODY, score=0.1)
    kindred.judge_anew(np.array([2, 1]), np.array([0.9, 0.1]))
    train, bird = asked(kindred, "locomotive", "sparrow")
    assert bird > 0 > train


def test_the_oldest_pages_are_forgotten() -> None:
    kindred, late = Kindred(remember=3), Kindred(remember=3)
    for number in range(20):
        kindred.add(number, "Railway" if number < 15 else "Thrush", NOBODY, score=number / 20)
        if number >= 17:
            late.add(number, "Thrush", NOBODY, score=number / 20)
    assert asked(kindred, "locomotive", "sparrow") == asked(late, "locomotive", "sparrow")
    assert len(kindred._pages) <= 6


def test_it_is_the_same_after_a_trip_through_json() -> None:
    kindred, woken = Kindred(remember=10), Kindred(remember=10)
    for each in (kindred, woken):
        each.begin(topic("Sparrow"))
    kindred.add(1, "Railway", NOBODY, score=0.9)
    kindred.add(2, "Untitled", NOBODY, score=0.4)
    woken.restore(json.loads(json.dumps(kindred.state())))
    assert asked(woken, "locomotive", "thrush") == asked(kindred, "locomotive", "thrush")


def test_it_is_the_regression_by_a_kernel_that_it_says_it_is() -> None:
    """By hand: every page counts by the third power of the cosine, an example twice, and 1 of doubt."""
    kindred = Kindred(remember=10)
    kindred.begin(topic("Sparrow"))
    kindred.add(1, "Railway", NOBODY, score=0.25)
    rows, _ = known(["Sparrow", "Railway", "robin"], most=1)
    example, page, asked_for = summed(rows, np.arange(3), count=3)
    alike = [max(float(asked_for @ each), 0) ** 3 for each in (example, page)]
    expected = (2 * alike[0] * (1 - 0.25) + alike[1] * 0) / (2 * alike[0] + alike[1] + 1)
    assert asked(kindred, "robin")[0] == pytest.approx(expected, rel=0.02)
