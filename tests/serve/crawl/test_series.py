"""A curve that stays short however long the crawl."""

from __future__ import annotations

import random

from homing.serve.crawl.series import Series


def test_a_long_curve_is_short_and_true() -> None:
    chance = random.Random(1)
    pages = [(float(step), chance.random() < 0.3) for step in range(10_000)]
    series = Series()
    for at, relevant in pages:
        series.add(at, relevant=relevant)
    points = series.points()
    assert 100 < len(points) <= 401
    for point in points:
        seen = [relevant for _, relevant in pages[: point.fetched]]
        assert point.relevant == sum(seen)
        assert point.harvest_now == sum(seen[-100:]) / len(seen[-100:])
    assert points[-1].fetched == 10_000
    assert [point.fetched for point in points] == sorted({point.fetched for point in points})


def test_time_never_goes_back_though_answers_overtake_each_other() -> None:
    series = Series()
    for at in (5.0, 3.0, 7.0):
        series.add(at, relevant=True)
    assert [point.at for point in series.points()] == [5.0, 5.0, 7.0]


def test_milestones_are_few_and_end_with_the_last_page() -> None:
    series = Series()
    assert list(series.milestones()) == []
    for count in range(1, 1234):
        series.add(float(count), relevant=False)
        marks = list(series.milestones())
        assert 0 < len(marks) <= 10
        assert marks[-1].fetched == count
