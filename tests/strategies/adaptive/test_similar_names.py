"""Pages with similar names."""

import json

import numpy as np
import pytest

from homing.model import Page, Topic
from homing.strategies.adaptive.similar_names import SimilarNames
from homing.text.embeddings import known, summed

NOBODY = np.zeros(0, np.uint32)


def topic(*titles: str, text: str = "", keywords: tuple[str, ...] = ()) -> Topic:
    examples = tuple(Page(url=f"http://a.example/{title}", title=title) for title in titles)
    return Topic(text=text, keywords=keywords, examples=examples, rate=lambda texts: [0.0] * len(texts))


def relevance_of(similar_names: SimilarNames, *anchors: str) -> list[float]:
    rows, counts = known(anchors, most=6)
    found: list[float] = similar_names.of(
        rows, np.repeat(np.arange(len(anchors)), counts), count=len(anchors)
    ).tolist()
    return found


def test_names_like_those_of_the_examples_are_worth_more_before_any_page_has_come() -> None:
    similar_names = SimilarNames(remember=10)
    similar_names.begin(topic("Sparrow", "Robin"))
    bird, train, nothing = relevance_of(similar_names, "thrush", "locomotive", "the 1914")
    assert bird > train >= nothing == 0


def test_a_topic_that_is_said_in_words_is_an_example() -> None:
    similar_names = SimilarNames(remember=10)
    similar_names.begin(topic(text="birds of the garden"))
    bird, train = relevance_of(similar_names, "thrush", "locomotive")
    assert bird > train


def test_keywords_are_names_only_where_there_is_nothing_better() -> None:
    alone, beside = SimilarNames(remember=10), SimilarNames(remember=10)
    alone.begin(topic(keywords=("locomotive",)))
    beside.begin(topic("Sparrow", keywords=("locomotive",)))
    assert relevance_of(alone, "railway")[0] > relevance_of(beside, "railway")[0]


def test_what_came_of_a_page_tells_of_others_that_are_called_alike() -> None:
    similar_names = SimilarNames(remember=10)
    similar_names.add(1, "Steam locomotives", NOBODY, score=0.9)
    similar_names.add(2, "The sparrow", NOBODY, score=0.1)
    train, bird = relevance_of(similar_names, "railway", "thrush")
    assert train > 0 > bird


def test_a_page_is_called_by_its_anchors_too() -> None:
    similar_names = SimilarNames(remember=10)
    similar_names.add(1, "Untitled 1", known(["railway"], most=1)[0], score=0.9)
    similar_names.add(2, "Untitled 2", known(["thrush"], most=1)[0], score=0.1)
    train, bird = relevance_of(similar_names, "locomotive", "sparrow")
    assert train > 0 > bird


def test_pages_that_turn_out_otherwise_count_so() -> None:
    similar_names = SimilarNames(remember=10)
    similar_names.add(1, "Railway", NOBODY, score=0.9)
    similar_names.add(2, "Thrush", NOBODY, score=0.1)
    similar_names.rescore(np.array([2, 1]), np.array([0.9, 0.1]))
    train, bird = relevance_of(similar_names, "locomotive", "sparrow")
    assert bird > 0 > train


def test_the_oldest_pages_are_forgotten() -> None:
    similar_names, late = SimilarNames(remember=3), SimilarNames(remember=3)
    for number in range(20):
        similar_names.add(number, "Railway" if number < 15 else "Thrush", NOBODY, score=number / 20)
        if number >= 17:
            late.add(number, "Thrush", NOBODY, score=number / 20)
    assert relevance_of(similar_names, "locomotive", "sparrow") == relevance_of(late, "locomotive", "sparrow")
    assert len(similar_names._pages) <= 6


def test_it_is_the_same_after_a_trip_through_json() -> None:
    similar_names, restored = SimilarNames(remember=10), SimilarNames(remember=10)
    for each in (similar_names, restored):
        each.begin(topic("Sparrow"))
    similar_names.add(1, "Railway", NOBODY, score=0.9)
    similar_names.add(2, "Untitled", NOBODY, score=0.4)
    restored.restore(json.loads(json.dumps(similar_names.state())))
    assert relevance_of(restored, "locomotive", "thrush") == relevance_of(
        similar_names, "locomotive", "thrush"
    )


def test_it_is_the_regression_by_a_kernel_that_it_says_it_is() -> None:
    """By hand: every page counts by the third power of the cosine, an example twice, and 1 of doubt."""
    similar_names = SimilarNames(remember=10)
    similar_names.begin(topic("Sparrow"))
    similar_names.add(1, "Railway", NOBODY, score=0.25)
    rows, _ = known(["Sparrow", "Railway", "robin"], most=1)
    example, page, queried = summed(rows, np.arange(3), count=3)
    alike = [max(float(queried @ each), 0) ** 3 for each in (example, page)]
    expected = (2 * alike[0] * (1 - 0.25) + alike[1] * 0) / (2 * alike[0] + alike[1] + 1)
    assert relevance_of(similar_names, "robin")[0] == pytest.approx(expected, rel=0.02)
