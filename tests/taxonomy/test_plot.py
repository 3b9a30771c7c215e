"""The galaxy, by examples worked out by hand from W = n · Σ length · impact."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from homing.taxonomy import Dot, Place, Plot, galaxy


def dots(*numbers: str) -> list[Dot]:
    return [Dot(Place.of(number)) for number in numbers]


def test_a_region_weighs_its_dots_times_their_lengths() -> None:
    plot = Plot(dots("294", "296", "2"))
    assert plot.weight("2") == 3 * (3 + 3 + 1)
    assert plot.weight("29") == 2 * (3 + 3)
    assert plot.weight("296") == 1 * 3
    assert plot.weight("5") == 0


def test_a_dot_in_the_anchor_weighs_two_fifths_more() -> None:
    plot = Plot([Dot(Place.of("296"), impact=1.4), Dot(Place.of("294"))])
    assert plot.weight("29") == 2 * (3 * 1.4 + 3)
    assert plot.galaxy() == ("296",)


def test_the_descent_is_digit_by_digit() -> None:
    # 2: 3 dots of length 3, W = 27. 5: 2 dots, W = 12. Within 2 the digit 9 has two dots, W = 12, and 1 has
    # one, W = 3; within 29 the numbers 294 and 297 weigh 3 each. The two dots at 510 are the thickest place,
    # and yet not the galaxy.
    assert galaxy(["294", "297", "210", "510", "510"]) == ("294", "297")


def test_many_dots_outweigh_long_numbers() -> None:
    # W(5) = 3 · 3 = 9 against W(7) = 1 · 8 = 8.
    assert galaxy(["5", "5", "5", "74692111"]) == ("5",)
    # W(5) = 2 · 2 = 4 against 8.
    assert galaxy(["5", "5", "74692111"]) == ("74692111",)


def test_all_ties_are_kept_and_followed() -> None:
    # The numbers of "clothing": 5 digits weigh more than 3, and the two fives weigh the same.
    assert galaxy(["155.95", "391", "746.92"]) == ("15595", "74692")
    # W(1) = W(7) = 2 · 4 = 8. In 1 the heaviest are 15 and 16 alike, in 7 it is 74.
    assert galaxy(["15", "16", "74", "74"]) == ("15", "16", "74")


def test_a_tie_is_a_tie_however_it_was_added_up() -> None:
    thrice = [Dot(Place.of("11"), 0.1), Dot(Place.of("11"), 0.1), Dot(Place.of("11"), 0.1)]
    assert Plot([*thrice, Dot(Place.of("22"), 0.3)]).galaxy() == ("11", "22")


def test_a_text_without_dots_has_no_galaxy() -> None:
    assert galaxy([]) == ()
    assert Plot([]).share(["5"]) == 0


def test_the_share_of_regions_is_a_part_of_all_lengths() -> None:
    plot = Plot(dots("59", "595", "63", "7"))
    assert plot.share(["59"]) == 5 / 8
    assert plot.share(["595", "7"]) == 4 / 8
    assert plot.share(["1"]) == 0


def test_the_signs_of_the_udc_have_no_length() -> None:
    assert Place.of("2-13").length == 3
    assert galaxy(["2-13", "2-14", "21"]) == ("2-13", "2-14")


@given(st.lists(st.text("0123456789", min_size=1, max_size=5), min_size=1, max_size=40))
def test_a_galaxy_is_a_number_and_no_region_on_its_way_has_a_heavier_sister(numbers: list[str]) -> None:
    plot = Plot(dots(*numbers))
    found = plot.galaxy()
    assert found
    for key in found:
        assert key in numbers
        for end in range(1, len(key) + 1):
            sisters = {
                each[:end] for each in numbers if len(each) >= end and each[: end - 1] == key[: end - 1]
            }
            assert plot.weight(key[:end]) == max(map(plot.weight, sisters))


@given(st.lists(st.text("0123456789", min_size=1, max_size=4), max_size=30), st.randoms())
def test_the_order_of_dots_does_not_matter(numbers: list[str], chance: object) -> None:
    mixed = list(numbers)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert galaxy(mixed) == galaxy(numbers)


@given(
    st.lists(st.text("01", min_size=1, max_size=4), max_size=12),
    st.lists(st.text("01", min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(st.integers(0, 11), max_size=3, unique=True),
)
def test_a_plot_lies_where_its_galaxy_lies(numbers: list[str], wanted: list[str], heavier: list[int]) -> None:
    """Also with some dots weighing more, each once, as a dot is in one anchor.

    A galaxy that was computed before changes nothing.
    """
    plot = Plot(dots(*numbers))
    extra: dict[str, float] = {}
    for key in (numbers[place] for place in heavier if place < len(numbers)):
        for region in Place.of(key).regions:
            extra[region] = extra.get(region, 0.0) + 0.4 * len(key)
    for more in ({}, extra, {}):
        expected = any(each.startswith(tuple(wanted)) for each in plot.galaxy(more))
        assert plot.lies_in(wanted, more) is expected
        assert plot.lies_surely_in(wanted, impact=1.4) in (expected, None)
