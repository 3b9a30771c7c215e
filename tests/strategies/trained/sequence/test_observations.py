"""The features of the paper's table 1."""

from __future__ import annotations

import math

import numpy as np
import pytest

from homing.model import Link, Page, Topic
from homing.strategies.trained.sequence.observations import Observer, Part, Row, weigh, windows

TOPIC = Topic(text="butterflies", keywords=("monarch",), rate=lambda texts: [0.5] * len(texts))
TARGET = Page(url="http://t.example/", text="butterfly wings")
SITE = "http://a.example"
LINKS = (
    Link(url=f"{SITE}/monarch-wings", anchor="wings of a monarch", place=0),
    Link(url=f"{SITE}/soil", anchor="soil soil", place=1),
    Link(url=f"{SITE}/soil2", anchor="more soil", place=2),
    Link(url=f"{SITE}/soil3", anchor="soil again", place=3),
)
PAGE = Page(
    url=f"{SITE}/",
    title="Garden garden",
    headings=("Soil",),
    keywords="hedge",
    alts="a lawn",
    description="monarch butterfly",
    text="butterfly butterfly soil",
    links=LINKS,
)
PAGES = [PAGE, *(Page(url=f"{SITE}/{n}", title="garden soil hedge lawn") for n in range(2))]


def observer(*, counted: bool = False, words_only: bool = False) -> Observer:
    return Observer.of(TOPIC, PAGES, [TARGET], vocabulary=10, counted=counted, words_only=words_only)


def values(row: Row) -> dict[int, float]:
    assert len(set(row[0])) == len(row[0])
    return dict(zip(*row, strict=True))


def test_a_page_is_its_likeness_its_description_its_links_and_its_words() -> None:
    seen = values(observer().page(PAGE, [0.3, 0.1, 0.9, 0.2, 0.0]))
    butterfly = 1 + math.log(2)
    assert seen[0] == 1
    assert seen[1] == pytest.approx(butterfly / math.sqrt(2) / math.hypot(butterfly, 1), abs=1e-5)
    assert seen[2] == pytest.approx(1, abs=1e-5)
    assert seen[3] == 0.3
    assert seen[4] == 0.9
    assert seen[5] == 1
    words = observer().words
    assert set(words) == {"garden", "soil", "hedg", "lawn"}
    assert {place: value for place, value in seen.items() if place > 5} == {
        6 + words[word]: 1.0 for word in ("garden", "soil", "hedg", "lawn")
    }


def test_counted_words_weigh_more_the_oftener_they_come() -> None:
    counted = observer(counted=True)
    seen = values(counted.page(PAGE, [0.0] * 5))
    assert seen[6 + counted.words["garden"]] == pytest.approx(1 + math.log(2))
    assert seen[6 + counted.words["soil"]] == 1


def test_with_words_only_nothing_else_is_seen() -> None:
    plain = observer(words_only=True)
    assert min(place for place in values(plain.page(PAGE, [0.3] * 5)) if place) >= 6
    assert values(plain.link(Part.LED_HERE, LINKS[0].url, "", "en", 0.7)) == {10: 1.0}


def test_a_link_is_its_rating_its_url_and_its_words_apart_for_each_part() -> None:
    mine = observer()
    assert mine.anchor_words == {"soil": 0}
    for number, part in enumerate(Part):
        start = 10 + 4 * number
        named = mine.link(part, LINKS[0].url, LINKS[0].anchor, "en", 0.7)
        other = mine.link(part, LINKS[1].url, LINKS[1].anchor, "en", 0.1)
        assert values(named) == {start: 1.0, start + 1: 0.7, start + 2: 1.0}
        assert values(other) == {start: 1.0, start + 1: 0.1, start + 2: 0.0, start + 3: 1.0}
    assert len(mine) == 10 + 4 * 3


def test_all_anchors_of_a_page_share_the_weight_of_one() -> None:
    mine = observer()
    assert values(mine.anchors(PAGE)) == {18: 1.0, 21: 1.0}
    assert values(mine.anchors(Page(url=SITE))) == {18: 1.0}


def test_a_target_is_not_compared_with_itself() -> None:
    mine = observer()
    assert values(mine.page(TARGET, [0.0]))[1] == 0
    twin = Page(url="http://twin.example/", text=TARGET.text)
    assert values(mine.page(twin, [0.0]))[1] == pytest.approx(1, abs=1e-5)


def test_only_features_relative_to_the_topic_are_no_words() -> None:
    flags = observer().are_words()
    assert np.flatnonzero(flags == 0).tolist() == [*range(6), 10, 11, 12, 14, 15, 16, 18, 19, 20]


def test_weights_of_a_row_are_summed() -> None:
    weights = np.arange(8.0).reshape(4, 2)
    assert weigh([([0, 2], [1.0, 0.5]), ([3], [2.0])], weights).tolist() == [[2.0, 3.5], [12.0, 14.0]]


def test_the_title_is_rated_before_the_links() -> None:
    assert windows(PAGE) == [PAGE.title, *(link.around for link in LINKS)]
