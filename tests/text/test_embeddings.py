"""What words mean: the table that Homing ships."""

import numpy as np
import pytest

from homing.text.embeddings import DIRECTIONS, FOLDER, Vectors, known, one_long, summed


def meaning(*texts: str) -> Vectors:
    rows, counts = known(texts, most=20)
    return summed(rows, np.repeat(np.arange(len(texts)), counts), count=len(texts))


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("sparrow", "thrush", "locomotive"),
        ("Monet", "painter", "physicist"),
        ("Einstein", "physicist", "painter"),
        ("Nairobi", "Kenya", "Norway"),
        ("nectar", "butterfly", "parliament"),
    ],
)
def test_words_of_like_meaning_are_near(word: str, near: str, far: str) -> None:
    one, other, third = meaning(word, near, far)
    assert one @ other > one @ third + 0.2


def test_names_of_several_words_mean_what_their_words_mean_together() -> None:
    both, steam, engine, cheese = meaning("The Steam Engine", "steam", "engine", "cheese")
    assert both @ steam > 0.6
    assert both @ engine > 0.6
    assert both @ cheese < 0.4


@pytest.mark.parametrize(
    ("name", "near", "far"),
    [
        ("Chernobyl disaster", "accident", "composer"),
        ("Battle of Hastings", "war", "mountain"),
        ("Charles Darwin", "scientist", "singer"),
        ("lesser celandine", "flower", "insect"),
    ],
)
def test_names_mean_the_kind_of_thing_they_name(name: str, near: str, far: str) -> None:
    one, other, third = meaning(name, near, far)
    assert one @ other > one @ third + 0.1


def test_a_name_of_several_words_is_one_and_not_its_words_again() -> None:
    rows, counts = known(["the Battle of Hastings in 1066", "battle, Hastings"], most=6)
    assert counts.tolist() == [1, 2]
    assert len(set(rows.tolist())) == 3


def test_of_names_that_overlap_the_first_counts_and_the_longest_of_those_that_begin_there() -> None:
    names, counts = known(["New York City Hall", "New York City", "hall"], most=6)
    assert counts.tolist() == [2, 1, 1]
    assert names[:2].tolist() == names[2:].tolist()


def test_no_name_goes_from_one_text_into_the_next() -> None:
    _, counts = known(["New", "York", "battle of", "Hastings"], most=6)
    assert counts.tolist() == [1, 1, 1, 1]


def test_letters_count_the_same_large_or_small_and_with_punctuation() -> None:
    one, other = meaning("Steam Cheese (painter)", "PAINTER; cheese, steam")
    assert one.tolist() == pytest.approx(other.tolist(), abs=1e-6)


def test_stop_words_numbers_and_words_nobody_knows_mean_nothing() -> None:
    rows, counts = known(["the of and", "1914", "qzxqvbn", ""], most=6)
    assert rows.tolist() == []
    assert counts.tolist() == [0, 0, 0, 0]
    assert not meaning("the of and", "1914").any()


def test_only_the_first_words_of_a_text_are_read() -> None:
    rows, counts = known(["sparrow thrush robin wren", "wren"], most=2)
    assert counts.tolist() == [2, 1]
    assert rows.tolist() == [*known(["sparrow thrush"], most=2)[0], *known(["wren"], most=2)[0]]


def test_no_texts_have_no_words() -> None:
    rows, counts = known([], most=2)
    assert (len(rows), len(counts)) == (0, 0)
    assert summed(rows, np.zeros(0, np.int64), count=0).shape == (0, DIRECTIONS)


def test_vectors_are_one_long_or_nothing() -> None:
    lengths = np.linalg.norm(one_long(np.array([[3, 4], [0, 0]], np.float32)), axis=1)
    assert lengths.tolist() == [1, 0]
    assert np.linalg.norm(meaning("wren"), axis=1) == pytest.approx(1)


def test_the_table_is_whole() -> None:
    words, pairs = np.load(FOLDER / "words.npy"), np.load(FOLDER / "vectors.npy")
    assert pairs.shape == (len(words), DIRECTIONS // 2)
    assert (np.diff(words.astype(np.int64)) > 0).all()
    assert len(words) > 300_000
