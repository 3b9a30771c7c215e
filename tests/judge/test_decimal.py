"""The judge that knows subjects by their decimal numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homing.checks.judge import check_judge
from homing.errors import ModelError, UsageError
from homing.judge import JUDGES, Brief
from homing.judge.decimal import Decimal
from homing.model import Page
from homing.registry import make
from homing.taxonomy import Subject, Taxonomy

TAXONOMY = Taxonomy(
    [
        Subject(code="59", label="Animals", terms=("animal", "habitat")),
        Subject(code="59.5", label="Insects", terms=("insect", "butterfly", "caterpillar", "moth", "nectar")),
        Subject(code="59.8", label="Birds", terms=("bird", "feather", "nectar")),
        Subject(code="63", label="Gardening", terms=("garden", "lawn", "soil", "compost")),
        Subject(code="79", label="Games", terms=("chess", "pawn", "rook")),
    ]
)
TABLE = "code,label,terms\n595,Insects,butterfly;moth\n63,Gardening,garden\n"


def decimal(brief: Brief | str, taxonomy: Taxonomy | str = TAXONOMY, repeats: float = 0.5) -> Decimal:
    return Decimal(brief, taxonomy=taxonomy, language="en", repeats=repeats)


def of_code(*codes: str) -> Decimal:
    return decimal(Brief(codes=codes))


def page(text: str, title: str = "") -> Page:
    return Page(url="http://a.example/", text=text, title=title)


@pytest.mark.parametrize(
    ("codes", "is_relevant"),
    [
        (("59.5",), True),
        (("595",), True),
        (("59",), True),
        (("5",), True),
        (("598",), False),
        (("63",), False),
        (("63", "595"), True),
    ],
)
def test_a_page_is_relevant_if_its_galaxy_begins_with_a_code(
    codes: tuple[str, ...], is_relevant: bool
) -> None:
    text = "A butterfly and a moth in the garden drink nectar, as do birds."
    assert of_code(*codes).judge(page(text)).relevant is is_relevant


def test_a_galaxy_that_is_wider_than_the_code_is_not_enough() -> None:
    assert not of_code("595").judge(page("An animal in its habitat")).relevant


def test_a_page_that_ties_is_relevant() -> None:
    tied = page("nectar")
    assert of_code("595").judge(tied).relevant
    assert of_code("598").judge(tied).relevant


def test_the_score_grows_with_the_share_of_dots_on_either_side_of_one_half() -> None:
    texts = [
        "chess pawn rook lawn soil compost garden",
        "chess pawn rook lawn soil compost garden moth",
        "lawn soil compost garden moth butterfly",
        "lawn garden moth butterfly caterpillar",
        "lawn moth butterfly caterpillar",
        "moth butterfly caterpillar",
    ]
    judgements = [of_code("595").judge(page(text)) for text in texts]
    scores = [judgement.score for judgement in judgements]
    assert scores == sorted(set(scores))
    assert scores[0] == 0
    assert scores[-1] == 1
    assert [judgement.relevant for judgement in judgements] == [False, False, False, True, True, True]


def test_a_page_without_known_words_is_not_relevant() -> None:
    judgement = of_code("595").judge(page("Nothing to be found"))
    assert (judgement.score, judgement.relevant, judgement.why) == (0.0, False, ())


def test_saying_a_word_again_counts_less_in_a_page() -> None:
    text = "pawn " * 9 + "moth butterfly caterpillar insect"
    brief = Brief(codes=("595",))
    # Games: 9 dots of length 2 weigh 9 · 18 = 162; insects 4 · 12 = 48. With roots, 3 · 6 = 18 against 48.
    assert not decimal(brief, repeats=1).judge(page(text)).relevant
    assert decimal(brief, repeats=0.5).judge(page(text)).relevant


def test_the_title_counts() -> None:
    assert of_code("59").judge(page("A lawn and soil.", title="Moth, butterfly, insect")).relevant


def test_the_terms_that_decided_come_with_their_shares() -> None:
    judgement = of_code("595").judge(page("moth moth moth moth butterfly lawn"))
    # moth 2 · 3, butterfly 3, lawn 2: in all 11.
    assert [name for name, _ in judgement.why] == ["moth (59.5)", "butterfly (59.5)"]
    assert [share for _, share in judgement.why] == pytest.approx([6 / 11, 3 / 11])


def test_what_won_instead_speaks_against_a_page() -> None:
    judgement = of_code("595").judge(page("lawn soil compost moth chess"))
    assert dict(judgement.why) == {
        "moth (59.5)": pytest.approx(3 / 11),
        "lawn (63)": pytest.approx(-2 / 11),
        "soil (63)": pytest.approx(-2 / 11),
        "compost (63)": pytest.approx(-2 / 11),
    }


def test_short_texts_are_rated_by_the_share_of_their_terms() -> None:
    one, two, mixed, half, none = of_code("595").rate(
        ["butterfly", "butterfly and moth", "a butterfly on the lawn", "nectar", "read on"]
    )
    assert two > one > 0.5 > mixed > half > none == 0


def test_codes_are_found_by_the_words_of_the_topic() -> None:
    judge = decimal("moths and butterflies in the garden")
    assert judge.keys == ("595",)
    assert judge.topic().codes == ("59.5",)
    assert judge.topic().description.startswith("59.5 (Insects), found by moth, butterfly; words: ")
    assert decimal(Brief(keywords=("soil", "lawn"))).keys == ("63",)


def test_words_that_belong_to_several_subjects_give_several_codes() -> None:
    assert decimal("nectar").keys == ("595", "598")


def test_codes_are_found_by_examples() -> None:
    examples = tuple(map(page, ("moth", "butterfly and nectar", "insects", "caterpillar", "lawn and soil")))
    judge = decimal(Brief(text="Lepidoptera", examples=examples))
    assert judge.keys == ("595",)
    assert judge.topic().description.startswith("59.5 (Insects), found by the examples; words: ")


def keys_of(*texts: str, topic: str = "") -> tuple[str, ...]:
    return decimal(Brief(text=topic, examples=tuple(map(page, texts)))).keys


def test_examples_that_fall_under_several_codes_give_several() -> None:
    assert keys_of("moth", "moth", "lawn", "lawn") == ("595", "63")


def test_one_example_among_many_does_not_give_a_code() -> None:
    assert keys_of(*["moth"] * 8, "chess") == ("595",)


def test_examples_that_fall_under_many_parts_of_a_subject_mean_the_whole() -> None:
    parts = [Subject(code=f"1{digit}", label="", terms=(f"part{digit}",)) for digit in range(8)]
    others = [Subject(code=f"2{digit}", label="", terms=(f"other{digit}",)) for digit in range(10)]
    taxonomy = Taxonomy([*parts, *others])
    examples = tuple(page(f"part{digit}") for digit in range(8))
    assert decimal(Brief(examples=examples), taxonomy).keys == ("1",)


def test_the_words_of_a_topic_have_as_many_votes_as_its_examples() -> None:
    assert keys_of("lawn", "chess", "bird", topic="moths") == ("595",)
    assert keys_of("lawn", "lawn", "lawn", topic="moths") == ("595", "63")
    judge = decimal(Brief(text="moths", examples=(page("lawn"),)))
    assert "found by moth and the examples" in judge.topic().description


def test_labels_help_where_no_term_is_known() -> None:
    taxonomy = Taxonomy(
        [
            Subject(code="8", label="Arts and play", terms=("painter",)),
            Subject(code="9", label="Places and times", terms=("city",)),
        ]
    )
    assert decimal("art", taxonomy).keys == ("8",)


def test_codes_that_are_given_come_first() -> None:
    judge = decimal(Brief(text="gardens", codes=("59.5", "595", "59"), examples=(page("chess"),)))
    assert judge.keys == ("59",)
    assert judge.topic().description.startswith("59 (Animals), as given; words: insect, ")


def test_a_topic_the_taxonomy_has_no_word_for_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        decimal(Brief(text="astrolabes", examples=(page("nothing"),)))
    assert str(caught.value) == (
        'the taxonomy has no word for "astrolabes"; give one of its codes: homing taxonomy find shows them'
    )


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(UsageError, match=r'no code "596"; the nearest is 59 \(Animals\)'):
        of_code("596")


def test_a_taxonomy_is_loaded_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    path = str(tmp_path / "t.csv")
    judge = make(Decimal, {"taxonomy": path, "repeats": "1"}, Brief(codes=("59",)))
    assert judge.judge(page("a moth")).relevant
    assert judge.language == "en"
    with pytest.raises(UsageError, match="cannot be read"):
        Decimal("moth", taxonomy=str(tmp_path / "missing.csv"))


def test_a_taxonomy_may_be_in_any_language() -> None:
    german = Taxonomy(
        [
            Subject(code="59", label="Tiere und Insekten", terms=("Schmetterling", "Käfer")),
            Subject(code="63", label="Gärten und Wiesen", terms=("Garten", "Wiese")),
        ]
    )
    judge = Decimal(Brief(codes=("63",)), taxonomy=german)
    assert judge.language == "de"
    assert judge.judge(page("Die Gärten und die Wiesen")).relevant


def test_numbers_may_be_of_any_depth() -> None:
    keys = ["5", "59", "595", "5957", "59578", "595789"]
    deep = Taxonomy([Subject(code=key, label=key, terms=(f"level{key}",)) for key in keys])
    judge = decimal(Brief(codes=("595.789",)), deep)
    assert judge.judge(page("level595789 level5957")).relevant
    assert not judge.judge(page("level59578 level5957")).relevant


def test_what_it_knows_survives_a_model() -> None:
    judge = decimal(Brief(examples=(page("moth"), page("butterfly"))))
    copy = Decimal.from_state(json.loads(json.dumps(judge.state())))
    pages = [page("moth on the lawn"), page("lawn and soil"), page("nectar")]
    assert [copy.judge(each) for each in pages] == [judge.judge(each) for each in pages]
    assert copy.rate(["moth", "nectar"]) == judge.rate(["moth", "nectar"])


@pytest.mark.parametrize("missing", ["codes", "language", "repeats", "subjects"])
def test_a_damaged_model_is_refused(missing: str) -> None:
    state = {key: value for key, value in of_code("59").state().items() if key != missing}
    with pytest.raises(ModelError):
        Decimal.from_state(state)


@pytest.mark.parametrize(
    "damage", [{"codes": ["999"]}, {"codes": []}, {"subjects": []}, {"subjects": [["59"]]}]
)
def test_a_model_that_contradicts_itself_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        Decimal.from_state({**of_code("59").state(), **damage})


def test_it_passes_the_battery_with_a_taxonomy_of_its_own() -> None:
    check_judge(lambda brief: Decimal(brief, taxonomy=TAXONOMY))


def test_it_is_a_judge_by_name() -> None:
    assert JUDGES.get("decimal") is Decimal
