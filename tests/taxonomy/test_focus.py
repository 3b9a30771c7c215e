"""Which subjects texts, pages and links are about. Covers ``focus`` and ``lexicon``."""

from __future__ import annotations

import pickle

import pytest

from homing.model import Page
from homing.taxonomy import Focus, Lexicon, Subject, Taxonomy
from homing.taxonomy.focus import page_text

TAXONOMY = Taxonomy(
    [
        Subject(code="59", label="Animals", terms=("animal", "fly")),
        Subject(code="59.5", label="Insects", terms=("insect", "butterfly", "moth")),
        Subject(
            code="62.9", label="Aircraft", terms=("airplane", "fly", "butterfly valve", "wing of a plane")
        ),
        Subject(
            code="63.5", label="Gardening", terms=("garden", "butterfly garden", "butterfly garden plant")
        ),
    ]
)


def found(text: str, language: str = "en") -> dict[str, int]:
    return {term.text: times for term, times in Lexicon(TAXONOMY, language).find(text).items()}


def test_words_are_found_by_their_stems() -> None:
    assert found("Butterflies, an INSECT; gardening?") == {"butterfly": 1, "insect": 1, "garden": 1}


def test_a_phrase_comes_before_its_words() -> None:
    assert found("The butterfly garden has a butterfly") == {"butterfly garden": 1, "butterfly": 1}


def test_the_longest_phrase_comes_first() -> None:
    assert found("plants for butterfly gardens") == {"butterfly garden": 1}
    assert found("a butterfly garden plant, a garden") == {"butterfly garden plant": 1, "garden": 1}


def test_phrases_are_found_around_words_without_meaning() -> None:
    assert found("the wings of the plane") == {"wing of a plane": 1}


def test_phrases_do_not_overlap() -> None:
    assert found("butterfly butterfly garden plant garden") == {
        "butterfly": 1,
        "butterfly garden plant": 1,
        "garden": 1,
    }


def test_a_term_may_have_several_numbers() -> None:
    [term] = Lexicon(TAXONOMY).find("to fly")
    assert [place.key for place in term.places] == ["59", "629"]


def test_scripts_without_blanks_are_read_in_pairs() -> None:
    taxonomy = Taxonomy([Subject(code="59", label="昆虫", terms=("蝴蝶", "蝴蝶花园"))])
    [(term, times)] = Lexicon(taxonomy, "zh").find("蝴蝶花园里有").items()
    assert (term.text, times) == ("蝴蝶花园", 1)


def test_terms_without_meaning_are_never_found() -> None:
    assert len(Lexicon(Taxonomy([Subject(code="1", label="", terms=("the", "of", "?"))]))) == 0


def test_the_words_of_a_link_count_more_than_those_around() -> None:
    focus = Focus(TAXONOMY)
    # 595 and 635 have one dot of length 3 each: W = 3 · 1. In the anchor, 4.2 against 3.
    assert focus.of_block("moth and garden", "") == ("595", "635")
    assert focus.of_block("moth and garden", "moth") == ("595",)
    assert focus.of_block("moth and garden", "garden") == ("635",)


def test_two_dots_around_outweigh_one_in_the_anchor() -> None:
    # 63: 2 · (3 + 3) = 12 against 59: 1 · 3 · 1.4 = 4.2.
    assert Focus(TAXONOMY).of_block("moth in a garden, in gardens", "moth") == ("635",)


def test_an_anchor_that_is_not_in_its_block_adds_its_own_dots() -> None:
    focus = Focus(TAXONOMY)
    # 63: 3; with the anchor 59: 2 · (4.2 + 4.2) = 16.8.
    assert focus.of_block("a garden", "moth and butterfly") == ("595",)
    assert focus.of_block("", "moth") == ("595",)


def test_a_word_of_the_anchor_within_a_phrase_of_the_block_adds_nothing() -> None:
    # The block's "butterfly garden" (635) is one dot, though the link is on one of its words only.
    assert Focus(TAXONOMY).of_block("our butterfly garden", "butterfly") == ("635",)


def test_a_block_without_known_words_has_no_galaxy() -> None:
    focus = Focus(TAXONOMY)
    assert focus.of_block("read more", "more") == ()
    assert focus.of_text("") == ()


def test_whether_a_link_lies_under_some_numbers_is_what_its_galaxy_says() -> None:
    focus = Focus(TAXONOMY)
    links = [
        ("moth and garden", "moth"),
        ("moth and garden", "garden"),
        ("moth and garden", ""),
        ("", "moth"),
    ]
    assert [focus.lies_in(("59",), *link) for link in links] == [True, False, True, True]
    assert [focus.lies_in(("62", "635"), *link) for link in links] == [False, True, True, False]
    assert focus.lies_in(("59",), "read more", "more") is None


def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    focus = Focus(TAXONOMY)
    blocks = [f"{'moth ' * (number % 3)} garden {number}" for number in range(600)]
    assert [focus.of_block(block) for block in blocks] == [Focus(TAXONOMY).of_text(block) for block in blocks]
    assert pickle.loads(pickle.dumps(focus)).of_block(blocks[1]) == focus.of_block(blocks[1])


@pytest.mark.parametrize("impact", [1.0, 1.4, 3.0])
def test_the_impact_of_anchors_can_be_set(impact: float) -> None:
    galaxy = Focus(TAXONOMY, impact=impact).of_block("moth and garden", "moth")
    assert galaxy == (("595", "635") if impact == 1 else ("595",))


def test_a_page_is_all_it_says() -> None:
    page = Page(url="http://a.example/", title="Moths", description="insects", text="In the garden.")
    assert Focus(TAXONOMY).of_text(page_text(page)) == ("595",)
