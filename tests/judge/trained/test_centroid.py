"""The centroid of a few pages."""

from __future__ import annotations

import math

import pytest

from homing.judge.trained.centroid import centroid
from homing.judge.trained.features import damped
from homing.judge.trained.ordinary_text import OrdinaryText
from homing.text.vectors import dot
from homing.text.words import bag


def test_the_centroid_leaves_out_what_every_page_has() -> None:
    english = OrdinaryText("en")
    pages = [damped(bag(f"butterfly caterpillar people time year {own}")) for own in ("wings", "nectar")]
    topic = centroid(pages, english)
    assert math.hypot(*topic.values()) == pytest.approx(1)
    assert topic["butterfli"] > topic["wing"] > topic.get("time", 0)
    assert dot(damped(bag("people time year")), topic) < 0.15 < dot(damped(bag("butterfly wings")), topic)


def test_pages_of_common_words_alone_still_have_a_centroid() -> None:
    topic = centroid([OrdinaryText("en").direction], OrdinaryText("en"))
    assert math.hypot(*topic.values()) == pytest.approx(1)
