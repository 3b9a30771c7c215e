"""Taxonomies: tables of code, label and terms. Covers ``table`` and ``table_reader``."""

from __future__ import annotations

from pathlib import Path

import pytest

from homing.errors import StorageError, UsageError
from homing.taxonomy import Subject, Taxonomy, load

DECIMAL = Path(__file__).parents[3] / "shared" / "data" / "decimal"

TABLE = "code,label,terms\n5,Science,science\n59,Animals,animal;zoology\n595,Insects,insect|butterfly\n"


def written(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(written(folder, text))
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(folder / "t.csv"), "T")


def test_a_table_has_codes_labels_and_terms(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, TABLE))
    assert len(taxonomy) == 3
    insects = taxonomy.get("595")
    assert insects
    assert insects.label == "Insects"
    assert set(insects.terms) == {"insect", "butterfly", "Insects"}


@pytest.mark.parametrize(
    "text",
    [
        TABLE.replace(",", "\t"),
        "\ufeff" + TABLE,
        TABLE.replace("\n", "\r\n"),
        "Terms,Code ,LABEL\nscience,5,Science\nanimal;zoology,59,Animals\ninsect|butterfly,595,Insects\n",
        TABLE.replace("5,Science", '5,"Science"') + "\n\n",
        "code;label;terms\n5;Science;science\n59;Animals;animal|zoology\n595;Insects;insect|butterfly\n",
    ],
    ids=["tabs", "byte-order mark", "Windows", "columns in another order", "quotes", "semicolons"],
)
def test_tables_come_in_many_shapes(tmp_path: Path, text: str) -> None:
    assert load(written(tmp_path, text)).subjects == load(written(tmp_path, TABLE, "u.csv")).subjects


def test_the_label_is_all_there_is_without_terms(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "number\tcaption\n591\tFish, fisheries & anglers (i.e. fishing)\n"))
    assert taxonomy.subjects[0].terms == ("Fish", "fisheries", "anglers", "fishing")


def test_a_table_may_have_one_term_a_line(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "term,code\nmoth,595\nbutterfly,595\nbank,33\nbank,55\n"))
    assert [(each.code, each.terms) for each in taxonomy.subjects] == [
        ("33", ("bank",)),
        ("55", ("bank",)),
        ("595", ("moth", "butterfly")),
    ]


def test_dots_are_only_there_to_be_read(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "code,label\n004.67,Networks\n00,Computers\n"))
    assert taxonomy.keys(["004.67", "0046", "0.04.67"]) == ("00467", "0046")
    assert taxonomy.describe("00467") == "004.67 (Networks)"
    assert taxonomy.label("004") == "Computers"


def test_signs_of_the_udc_are_part_of_a_number(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "code,label\n2-13,Gods\n630*2,Silviculture\n004.3`1,Parts\n"))
    assert [each.key for each in taxonomy.subjects] == ["0043`1", "2-13", "630*2"]
    assert taxonomy.keys(["2-1"]) == ("2-1",)


def test_a_span_is_what_its_members_have_in_common(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "code,label\n341,Law\n341.1/.8,Treaties\n113/119,Cosmology\n"))
    assert [(each.code, each.terms) for each in taxonomy.subjects] == [
        ("11", ("Cosmology",)),
        ("341", ("Law", "Treaties")),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the taxonomy T is empty: it needs the columns code, label, terms"),
        ("code,label,terms\n", "the taxonomy T is empty: it needs a line for each subject"),
        ("kode,label\n5,Science\n", 'the taxonomy T has no column "code"; did you mean "kode"?'),
        (
            "code,depth\n5,1\n",
            'the taxonomy T has neither a column "label" nor "terms"; there is: code, depth',
        ),
        (
            TABLE + "abc,Letters,alphabet\n",
            'the taxonomy T, line 5: "abc" is no code; codes are numbers such as 59 or 004.67',
        ),
        (TABLE + ",Nothing,void\n", "the taxonomy T, line 5: the code is missing"),
        (TABLE + "59,Beasts,beast\n", 'the taxonomy T, line 5: the code "59" is already in line 3'),
        (
            "code,label,parent\n5,Science,595\n59,Animals,5\n595,Insects,59\n",
            "the taxonomy T, line 2: parents go in a circle: 5 → 595 → 59 → 5",
        ),
        ("code,label,parent\n5,Science,5\n", "the taxonomy T, line 2: parents go in a circle: 5 → 5"),
        (
            "code,label,parent\n59,Animals,5\n",
            'the taxonomy T, line 2: there is no code "5" to be the parent',
        ),
        (
            "code,label,parent\n5,Science,\n63,Farms,5\n",
            "the taxonomy T, line 3: 63 does not begin with its parent 5",
        ),
        ('code,label\n5,"Science\n', "the taxonomy T, line 2: unexpected end of data"),
    ],
)
def test_a_table_that_makes_no_sense_gets_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    assert complaint(tmp_path, text) == message


def test_quotes_hold_commas_and_line_ends_but_not_between_tabs(tmp_path: Path) -> None:
    quoted = load(written(tmp_path, 'code,label,terms\n5,"Science, ""hard""","physics;\nchemistry"\n'))
    assert quoted.subjects[0].terms == ("physics", "chemistry", 'Science, "hard"')
    tabs = load(written(tmp_path, 'code\tlabel\n5\t"Hard" science\n', "t.tsv"))
    assert tabs.subjects[0].label == '"Hard" science'


def test_parents_that_agree_with_the_numbers_are_fine(tmp_path: Path) -> None:
    taxonomy = load(written(tmp_path, "code,label,parent\n5,Science,\n59,Animals,5\n59.5,Insects,59\n"))
    assert taxonomy.keys(["59.5"]) == ("595",)


def test_files_that_cannot_be_read_get_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load(tmp_path / "missing.csv")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        load(tmp_path)
    (tmp_path / "latin.csv").write_bytes("code,label\n5,Caf\xe9\n".encode("latin-1"))
    with pytest.raises(UsageError, match="no text in UTF-8"):
        load(tmp_path / "latin.csv")


@pytest.mark.parametrize(
    ("code", "nearest"),
    [("596", "59 (Animals)"), ("5958", "595 (Insects)"), ("7", "5 (Science)")],
)
def test_an_unknown_code_is_told_its_nearest(tmp_path: Path, code: str, nearest: str) -> None:
    path = written(tmp_path, TABLE)
    with pytest.raises(UsageError) as caught:
        load(path).keys([code])
    assert str(caught.value) == f'the taxonomy {path} has no code "{code}"; the nearest is {nearest}'


def test_what_is_no_number_is_no_code(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='"insects" is no code of a taxonomy'):
        load(written(tmp_path, TABLE)).keys(["insects"])


def test_a_table_survives_being_written_and_read(tmp_path: Path) -> None:
    taxonomy = Taxonomy(
        [
            Subject(code="59", label='Animals, "beasts"', terms=("animal", 'Animals, "beasts"')),
            Subject(code="59.5", label="昆虫", terms=("蝴蝶", "昆虫")),
        ]
    )
    taxonomy.save(tmp_path / "t.csv")
    assert load(tmp_path / "t.csv").subjects == taxonomy.subjects


def test_a_failed_write_leaves_the_old_table_alone(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"):
        Taxonomy([Subject(code="5", label="Science", terms=())]).save(tmp_path / "missing" / "t.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not DECIMAL.is_dir(), reason="the decimal tables are not here")
@pytest.mark.parametrize(
    ("name", "subjects", "code", "term"),
    [
        ("ddc_sections_wikipedia.tsv", 920, "594", "Mollusca"),
        ("ddc_terms_wikipedia.tsv", 489, "594", "Mollusca"),
        ("udc_summary_en.tsv", 1712, "595.7", "Insects"),
    ],
)
def test_public_tables_can_be_loaded(name: str, subjects: int, code: str, term: str) -> None:
    taxonomy = load(DECIMAL / name)
    assert len(taxonomy) == subjects
    found = taxonomy.get(code)
    assert found
    assert term in found.terms


def test_a_table_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").symlink_to("/dev/zero")
    with pytest.raises(UsageError, match=r"t\.csv cannot be read: it is larger than 64 MB; name a table"):
        load(tmp_path / "t.csv")


def test_lines_may_end_as_on_any_system(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbf" + TABLE.replace("\n", end).encode())
        assert len(load(tmp_path / "t.csv")) == 3
