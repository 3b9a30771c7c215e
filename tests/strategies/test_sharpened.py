"""The topic as the pages of a crawl show it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from homing.hashing import BUCKETS, bucket
from homing.model import Page, Topic
from homing.strategies.link_words import BUCKETS as LINK_WORDS
from homing.strategies.link_words import told_by
from homing.strategies.sharpened import SharpTopic


def page_of(text: str) -> Page:
    return Page(url="http://a.example/", text=text, language="en")


def topic_of(*examples: str, text: str = "", remember: int = 100) -> SharpTopic:
    topic = SharpTopic(remember=remember)
    shown = tuple(map(page_of, examples))
    topic.begin(Topic(text=text, examples=shown, rate=lambda texts: [0.0] * len(texts)))
    return topic


def meet(topic: SharpTopic, *texts: str, score: float = 0.0) -> list[float]:
    return [topic.meet(number, page_of(text), score) for number, text in enumerate(texts)]


CASTLES = [f"king castle tower {word}" for word in "one two three four five six seven eight".split()]


def test_at_first_a_page_is_what_the_judge_says() -> None:
    topic = topic_of("king moth wing", "king moth nectar")
    assert meet(topic, *CASTLES, score=0.6) == [0.6] * 8
    assert not topic.is_sharp


def test_words_that_all_pages_share_say_nothing_of_the_topic() -> None:
    """The judge takes kings for moths; the crawl's own pages show that everybody has a king."""
    topic = topic_of("king moth wing", "king moth nectar")
    meet(topic, *CASTLES, score=0.6)
    _, scores = topic.sharpen()
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
    topic.sharpen()
    common, rare, unseen = (math.log(1 + 9 / (met + 0.5)) for met in (8, 1, 0))
    page, example = math.hypot(common, rare), math.hypot(common, unseen)
    expected = {
        "garden": common / example - common / page,
        "moth": unseen / example / 2,
        "castle": -rare / page / 8,
    }
    weights = topic.weights(BUCKETS)
    unit = weights[bucket("moth")] / (expected["moth"] * unseen)
    rarity = {"garden": common, "moth": unseen, "castle": rare}
    for word, value in expected.items():
        term = {"castle": "castl"}.get(word, word)
        assert weights[bucket(term)] == pytest.approx(value * rarity[word] * unit)


def test_a_sentence_is_an_example_and_the_judge_says_how_like_it_pages_are() -> None:
    topic = topic_of(text="hawk moths")
    meet(topic, *CASTLES, score=0.0)
    meet(topic, "a hawk moth", "hawk and owl", score=1.0)
    topic.sharpen()
    assert topic.is_sharp
    castle, moth = meet(topic, "the castle of a king", "moth", score=0.5)
    assert castle < 0.5 < moth


def test_examples_like_any_page_leave_it_to_the_judge() -> None:
    topic = topic_of(*CASTLES[:2])
    meet(topic, *CASTLES, score=0.3)
    _, scores = topic.sharpen()
    assert scores.tolist() == [0.3] * 8
    assert not topic.is_sharp
    assert not told_by(topic).any()


def test_examples_without_words_leave_it_to_the_judge() -> None:
    topic = topic_of("", "")
    meet(topic, *CASTLES, "", score=0.3)
    assert topic.sharpen()[1].tolist() == [0.3] * 9


def test_an_example_without_words_says_nothing() -> None:
    with_it, without = topic_of("moth wing", "moth nectar", ""), topic_of("moth wing", "moth nectar")
    for topic in (with_it, without):
        meet(topic, *CASTLES)
        topic.sharpen()
    assert meet(with_it, "a moth", score=0.3) == meet(without, "a moth", score=0.3)


def test_pages_come_to_an_end_also_while_nobody_asks_for_the_vector() -> None:
    topic = topic_of("king moth wing", "king moth nectar", remember=10)
    meet(topic, *(f"king castle {number}" for number in range(200)))
    assert len(json.dumps(topic.state())) < 5_000


def test_a_page_without_words_is_less_than_the_judge_says() -> None:
    topic = topic_of("moth wing", "moth nectar")
    meet(topic, *CASTLES, score=0.3)
    topic.sharpen()
    assert meet(topic, "", score=0.3)[0] < 0.3


def test_words_of_links_say_the_same_of_the_topic_in_anchor_and_context() -> None:
    topic = topic_of("king moth wing", "king moth nectar")
    meet(topic, *CASTLES)
    topic.sharpen()
    told = told_by(topic)
    assert len(told) == LINK_WORDS
    around, anchor = told[bucket("moth") % 2**15], told[2**15 + bucket("moth") % 2**14]
    assert around == pytest.approx(anchor, rel=0.2)
    assert around > 0 > told[bucket("castl") % 2**15]


def test_the_oldest_pages_are_forgotten() -> None:
    topic = topic_of("king moth wing", "king moth nectar", remember=10)
    for number in range(40):
        topic.meet(number, page_of(f"king castle {number}"), 0.1)
    keys, scores = topic.sharpen()
    assert keys.tolist() == list(range(30, 40))
    assert len(scores) == 10


def test_of_a_page_that_came_twice_the_last_counts() -> None:
    topic = topic_of("king moth wing", "king moth nectar")
    meet(topic, *CASTLES)
    topic.meet(0, page_of("moth wing nectar"), 1.0)
    keys, scores = topic.sharpen()
    assert keys.tolist() == list(range(8))
    assert scores[0] > 0.5 > scores[1:].max()


def test_it_is_the_same_after_a_trip_through_json() -> None:
    topic, woken = (topic_of("king moth wing", "king moth nectar", remember=10) for _ in range(2))
    meet(topic, *CASTLES, *CASTLES, score=0.2)
    topic.sharpen()
    meet(topic, "moth and castle", score=0.4)  # after the vector was made
    woken.restore(json.loads(json.dumps(topic.state())))
    assert np.array_equal(told_by(woken), told_by(topic))
    later = [meet(each, "a moth", "a king", score=0.4) for each in (topic, woken)]
    assert later[0] == later[1]
    assert [scores.tolist() for scores in topic.sharpen()] == [scores.tolist() for scores in woken.sharpen()]
