"""The piece of a page that shows why it was found."""

from homing.store.index.snippets import LENGTH, snippet
from homing.text.words import terms


def cut(text: str, query: str, language: str = "en") -> tuple[tuple[str, bool], ...]:
    return snippet(text, frozenset(terms(query, language)), language)


def marked(parts: tuple[tuple[str, bool], ...]) -> list[str]:
    return [piece for piece, is_marked in parts if is_marked]


def test_all_forms_of_a_word_are_marked_as_they_are_written() -> None:
    parts = cut("Moths, MOTH and moth_traps; a mothball is none.", "moth")
    assert marked(parts) == ["Moths", "MOTH", "moth"]
    assert "".join(piece for piece, _ in parts) == "Moths, MOTH and moth_traps; a mothball is none."


def test_the_stretch_with_most_different_words_is_shown() -> None:
    filler = "and so it went on for a long while " * 30
    text = f"A garden. {filler} A hawk moth in the garden at dusk. {filler} A moth."
    parts = cut(text, "garden moth dusk")
    assert marked(parts) == ["moth", "garden", "dusk"]
    assert parts[0] == ("… ", False)
    assert parts[-1] == (" …", False)
    assert sum(len(piece) for piece, _ in parts) <= LENGTH + 4


def test_a_page_found_by_its_title_alone_shows_its_beginning() -> None:
    parts = cut("Some lines\n\nof text " + "that go on " * 100, "moth")
    assert marked(parts) == []
    assert parts[0][0].startswith("Some lines of text that go on")
    assert len(parts[0][0]) <= LENGTH


def test_accents_and_other_scripts_are_marked() -> None:
    assert marked(cut("Une idée de l'Élan, ÉLAN vital", "élan", "fr")) == ["Élan", "ÉLAN"]
    assert marked(cut("Ночные бабочки и бабочка", "бабочки", "ru")) == ["бабочки", "бабочка"]
    assert marked(cut("東京タワーへ行くと、東京が見える", "東京タワー", "ja")) == ["東京タワー", "東京"]


def test_an_empty_text_has_an_empty_snippet() -> None:
    assert cut("", "moth") == ()


def test_a_long_text_without_blanks_is_cut_all_the_same() -> None:
    parts = cut("花" * 5_000 + "蝴蝶" + "花" * 5_000, "蝴蝶", "zh")
    assert marked(parts) == ["蝴蝶"]
    assert sum(len(piece) for piece, _ in parts) <= LENGTH + 4
