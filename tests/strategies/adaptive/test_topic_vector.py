"""The topic as the pages of a crawl show it (``topic_vector``, ``page_terms``, ``co_occurrence``)."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from homing.model import Page, Topic
from homing.strategies.adaptive.co_occurrence import WORDS
from homing.strategies.adaptive.topic_vector import TopicVector
from homing.text.hashing import bucket


def page_of(text: str) -> Page:
    return Page(url="", text=text, language="en")


def topic_of(*examples: str, text: str = "", remember: int = 100) -> TopicVector:
    topic = TopicVector(remember=remember)
    shown = tuple(map(page_of, examples))
    topic.begin(Topic(text=text, examples=shown, rate=lambda texts: [0.0] * len(texts)))
    return topic


def meet(topic: TopicVector, *texts: str, score: float = 0.0) -> list[float]:
    return [topic.add(number, page_of(text), score) for number, text in enumerate(texts)]


CASTLES = [f"king castle tower {word}" for word in "one two three four five six seven eight".split()]


def test_at_first_a_page_is_what_the_judge_says() -> None:
    topic = topic_of("king moth wing", "king moth nectar")
    assert meet(topic, *CASTLES, score=0.6) == [0.6] * 8
    assert not topic.tells_apart


def test_words_that_all_pages_share_say_nothing_of_the_topic() -> None:
    """The judge takes kings for moths; the crawl's own pages show that everybody has a king."""
    topic = topic_of("king moth wing", "king moth nectar")
    meet(topic, *CASTLES, score=0.6)
    _, scores = topic.refine()
    assert scores.max() < 0.4
    castle, moth = meet(topic, "king of a castle", "moth with wing", score=0.6)
    assert castle < 0.4 < 0.6 < moth


def test_the_vector_is_the_mean_of_the_examples_less_that_of_the_pages_off_the_topic() -> None:
    """By hand: every page has a and one of eight other words, both examples have a; one has b, one c."""
    topic = topic_of("garden moth", "garden wing")
    others = [
        f"garden {word}" for word in "castle tower bridge river mountain village harbour forest".split()
    ]
    meet(topic, *others)
    topic.refine()
    common, rare, unseen = (math.log(1 + 9 / (met + 0.5)) for met in (8, 1, 0))
    page, example = math.hypot(common, rare), math.hypot(common, unseen)
    expected = {
        "garden": common / example - common / page,
        "moth": unseen / example / 2,
        "castle": -rare / page / 8,
    }
    for word, value in expected.items():
        term = {"castle": "castl"}.get(word, word)
        assert topic._vector[bucket(term)] == pytest.approx(value)


def test_a_sentence_is_an_example_and_the_judge_says_how_like_it_pages_are() -> None:
    topic = topic_of(text="hawk moths")
    meet(topic, *CASTLES, score=0.0)
    meet(topic, "a hawk moth", "hawk and owl", score=1.0)
    topic.refine()
    assert topic.tells_apart
    castle, moth = meet(topic, "the castle of a king", "moth", score=0.5)
    assert castle < 0.5 < moth


def test_examples_like_any_page_leave_it_to_the_judge() -> None:
    topic = topic_of(*CASTLES[:2])
    meet(topic, *CASTLES, score=0.3)
    _, scores = topic.refine()
    assert scores.tolist() == [0.3] * 8
    assert not topic.tells_apart
    assert not topic.co_occurrence.relevance.any()


def test_examples_without_words_leave_it_to_the_judge() -> None:
    topic = topic_of("", "")
    meet(topic, *CASTLES, "", score=0.3)
    assert topic.refine()[1].tolist() == [0.3] * 9


def test_an_example_without_words_says_nothing() -> None:
    with_it, without = topic_of("moth wing", "moth nectar", ""), topic_of("moth wing", "moth nectar")
    for topic in (with_it, without):
        meet(topic, *CASTLES)
        topic.refine()
    assert meet(with_it, "a moth", score=0.3) == meet(without, "a moth", score=0.3)


def test_old_pages_are_forgotten_even_if_the_vector_is_never_refined() -> None:
    topic = topic_of("king moth wing", "king moth nectar", remember=10)
    meet(topic, *(f"king castle {number}" for number in range(200)))
    assert len(json.dumps(topic.state())) < 5_000


def test_a_page_without_words_is_less_than_the_judge_says() -> None:
    topic = topic_of("moth wing", "moth nectar")
    meet(topic, *CASTLES, score=0.3)
    topic.refine()
    assert meet(topic, "", score=0.3)[0] < 0.3


def test_words_of_relevant_pages_have_a_high_co_occurrence() -> None:
    """No example has nectar; but the pages that do are about moths."""
    topic = topic_of("king moth wing", "king moth scale")
    meet(topic, *CASTLES)
    meet(topic, *(f"moth wing nectar {number}" for number in range(4)), score=0.9)
    topic.refine()
    told = {
        term: topic.co_occurrence.relevance[bucket(term) % WORDS]
        for term in ("nectar", "moth", "king", "castl")
    }
    assert told["moth"] >= told["nectar"] > told["king"] > told["castl"]
    assert told["nectar"] > 0 > told["castl"]
    assert told["king"] > -0.2, "everybody has a king"
    assert (
        topic.co_occurrence.rarity[bucket("nectar") % WORDS]
        > topic.co_occurrence.rarity[bucket("king") % WORDS]
    )


def test_a_title_a_heading_and_an_address_tell_what_the_text_does_not() -> None:
    def page(number: int, kind: str, *, text: str = "research in computing") -> Page:
        return Page(
            url=f"http://a.example/{kind}/{number}",
            title=f"{kind} {number}",
            headings=(f"About the {kind}",),
            text=text,
            language="en",
        )

    topic = TopicVector(remember=100)
    shown = tuple(page(number, "project") for number in range(4))
    topic.begin(Topic(text="", examples=shown, rate=lambda texts: [0.0] * len(texts)))
    for number in range(20, 32):
        topic.add(number, page(number, "person"), 0.5)
    topic.refine()
    assert topic.refined(page(40, "project"), 0.5) > topic.refined(page(40, "person"), 0.5) + 0.2


def test_the_oldest_pages_are_forgotten() -> None:
    topic = topic_of("king moth wing", "king moth nectar", remember=10)
    for number in range(40):
        topic.add(number, page_of(f"king castle {number}"), 0.1)
    keys, scores = topic.refine()
    assert keys.tolist() == list(range(30, 40))
    assert len(scores) == 10


def test_of_a_page_that_came_twice_the_last_counts() -> None:
    topic = topic_of("king moth wing", "king moth nectar")
    meet(topic, *CASTLES)
    topic.add(0, page_of("moth wing nectar"), 1.0)
    keys, scores = topic.refine()
    assert keys.tolist() == list(range(8))
    assert scores[0] > 0.5 > scores[1:].max()


def test_it_is_the_same_after_a_trip_through_json() -> None:
    topic, restored = (topic_of("king moth wing", "king moth nectar", remember=10) for _ in range(2))
    meet(topic, *CASTLES, *CASTLES, score=0.2)
    topic.refine()
    meet(topic, "moth and castle", score=0.4)  # after the vector was made
    restored.restore(json.loads(json.dumps(topic.state())))
    assert np.array_equal(restored.co_occurrence.relevance, topic.co_occurrence.relevance)
    later = [meet(each, "a moth", "a king", score=0.4) for each in (topic, restored)]
    assert later[0] == later[1]
    assert [scores.tolist() for scores in topic.refine()] == [scores.tolist() for scores in restored.refine()]
