from __future__ import annotations

import numpy as np
import pytest

from homing.lab.results.intervals import Estimate, band, estimate


def test_the_interval_of_two_topics_goes_from_one_to_the_other() -> None:
    # Of 10,000 resamples about a quarter hold one of them only, and a quarter the other.
    assert estimate({"a": 0.2, "b": 0.6}) == Estimate(0.4, 0.2, 0.6)


def test_the_interval_of_many_topics_is_that_of_a_mean() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.1, size=100)
    found = estimate({f"topic {place}": value for place, value in enumerate(values)})
    error = values.std() / 10
    assert found.mean == pytest.approx(values.mean(), abs=1e-6)
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=error / 10)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=error / 10)


def test_the_order_of_topics_does_not_matter() -> None:
    values = {"a": 0.1, "b": 0.25, "c": 0.7, "d": 0.4}
    assert estimate(values) == estimate(dict(reversed(values.items())))


def test_clusters_are_drawn_whole_and_count_by_their_topics() -> None:
    # A cluster of three and one of one: 1, 1, 1 and 0; drawn twice, once each, or the other twice.
    values = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}
    clusters = {"a": "x", "b": "x", "c": "x", "d": "y"}
    assert estimate(values, clusters) == Estimate(0.75, 0.0, 1.0)


def test_a_single_cluster_has_no_interval() -> None:
    assert estimate({"a": 0.0, "b": 1.0}, {"a": "x", "b": "x"}) == Estimate(0.5, None, None)


def test_a_topic_and_a_cluster_of_the_same_name_are_two() -> None:
    assert estimate({"a": 0.0, "b": 1.0}, {"b": "a"}) == Estimate(0.5, 0.0, 1.0)


def test_a_band_holds_every_point_of_the_mean() -> None:
    curves = np.sort(np.random.default_rng(2).random((6, 50)), axis=1)
    found = band({f"topic {place}": curve for place, curve in enumerate(curves)})
    assert found is not None
    low, high = found
    assert (low <= curves.mean(axis=0)).all()
    assert (curves.mean(axis=0) <= high).all()
    assert (low >= curves.min(axis=0)).all()


def test_a_single_curve_has_no_band() -> None:
    assert band({"a": np.ones(3)}) is None
    assert band({"a": np.ones(3), "b": np.zeros(3)}, {"a": "x", "b": "x"}) is None
