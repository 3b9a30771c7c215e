"""Finding a topic's words in running text."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from homing.judge.words import spotting
from homing.judge.words.spotting import Spotter
from homing.text.words import words


def spotter(*terms: str, language: str = "en", relatives: float = 0.5) -> Spotter:
    forms = {"gart": ("garten", "gärten")} if language == "de" else {}
    return Spotter(terms, forms, language=language, relatives=relatives)


def test_every_form_of_a_word_counts() -> None:
    assert spotter("butterfli").count("Butterfly butterflies BUTTERFLIES' butterfly-like") == [4.0]


def test_a_word_within_another_does_not_count() -> None:
    assert spotter("art").count("party cart heart article art") == [1.0]


def test_relatives_count_for_less() -> None:
    assert spotter("medicin").count("medical") == [0.5]
    assert spotter("butterfli").count("butter") == [0.0]


def test_forms_that_begin_otherwise_are_found() -> None:
    assert spotter("gart", language="de").count("Garten und Gärten") == [2.0]


def test_a_word_found_by_two_heads_counts_once() -> None:
    both = Spotter(["art", "artist"], {}, language="en", relatives=0.5)
    assert both.count("art artist") == [1.0, 1.0]


def test_soft_hyphens_do_not_hide_a_word() -> None:
    assert spotter("butterfli").count("butter\u00adflies") == [1.0]


def test_characters_are_counted_wherever_they_stand() -> None:
    assert spotter("蝴蝶", "花园", language="zh").count("蝴蝶花园里的蝴蝶") == [2.0, 1.0]


def test_short_texts_are_counted_apart() -> None:
    texts = ["a garden", "", "nothing", "garden gardens", "art"]
    assert spotter("garden", "art").count_each(texts) == {0: [1.0, 0.0], 3: [2.0, 0.0], 4: [0.0, 1.0]}


def test_no_word_is_put_together_from_two_texts() -> None:
    assert spotter("garden").count_each(["gar", "den"]) == {}


def test_a_text_with_line_breaks_stays_one_text() -> None:
    assert spotter("garden").count_each(["a\nb\n", "garden\ngarden"]) == {1: [2.0]}


@given(st.lists(st.text(alphabet="abgdenr İß\n蝴蝶", max_size=30), max_size=8))
def test_many_texts_at_once_are_counted_as_each_alone(texts: list[str]) -> None:
    found = spotter("garden", "蝴蝶")
    together = found.count_each(texts)
    alone = {number: counts for number, text in enumerate(texts) if any(counts := found.count(text))}
    assert together == alone


@given(st.lists(st.sampled_from(["garden", "Gardens", "gardening", "art", "party", "x"]), max_size=20))
def test_the_counts_are_those_of_the_tokenizer(said: list[str]) -> None:
    text = ", ".join(said)
    expected = Counter(word for word in words(text) if word.startswith("garden"))
    assert spotter("garden").count(text) == [float(expected.total())]


def test_what_is_remembered_stays_bounded() -> None:
    found = spotter("garden")
    found.count(" ".join(f"garden{number}" for number in range(spotting._CACHED_WORDS + 10)))
    assert len(found._cache) <= spotting._CACHED_WORDS
