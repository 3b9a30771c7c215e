"""Parts by name, and their parameters."""

from __future__ import annotations

import inspect
import math
from pathlib import Path
from typing import Literal

import pytest

from homing.errors import UsageError
from homing.parameters import Part, first_line, parameter
from homing.registry import Registry, describe, make


class Sample(Part):
    """What the sample parts share."""

    kind = "strategy"


class Otie(Sample):
    """Moves cash along links."""

    name = "otie"
    paper = "Some 2009, A paper"

    flatness: float = parameter(
        "How little a relevance near one half matters (the paper's d).", default=3.0, within=(0, 100)
    )
    period: int = parameter("Visits between two rounds.", default=20, within=(1, math.inf))
    guard: bool = parameter("Whether to guard.", default=True)
    recrawl: Literal["virtual", "fetch", "off"] = parameter("How cash is handed on.", default="virtual")
    cap: int | None = parameter("How many at most.", default=None, within=(0, 10))
    words: tuple[str, ...] = parameter("Which words.", default=())
    _begins: bool = parameter("Whether it begins.", default=False, alias="begin")

    def begin(self) -> bool:
        return self._begins


class SlowOtie(Otie):
    """Moves cash more slowly."""

    name = "slow-otie"

    speed: float = parameter("How fast.", default=0.5)
    period: int = parameter("Visits between two slow rounds.", default=100)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.way = self.speed * self.period


class LinkContext(Sample):
    """Has no parameters, and an argument that is no parameter."""

    name = "link-context"

    def __init__(self, brief: str = "none") -> None:
        super().__init__()
        self.brief = brief


class Foreign(Sample):
    """A plug-in that declares no field and has a constructor of its own."""

    name = "foreign"

    def __init__(self, *, weight: float = 1.0) -> None:
        super().__init__()
        self.weight = weight


@pytest.fixture
def registry() -> Registry[Part]:
    here = Otie.__module__
    builtin = {"otie": f"{here}:Otie", "link-context": f"{here}:LinkContext"}
    return Registry("strategy", group="homing.test-parts", builtin=builtin)


def test_a_part_is_found_by_its_name_with_hyphens_or_underscores(registry: Registry[Part]) -> None:
    assert registry.get("link-context") is registry.get("link_context") is LinkContext
    assert registry.names() == ["otie", "link-context"]


def test_an_unknown_name_names_the_nearest(registry: Registry[Part]) -> None:
    with pytest.raises(
        UsageError, match=r'there is no strategy "link-contxt"; did you mean "link-context"\?'
    ):
        registry.get("link-contxt")
    with pytest.raises(UsageError, match='there is no strategy "zzz"; there is: link-context, otie'):
        registry.get("zzz")


def test_a_class_of_a_program_is_added_under_its_name(registry: Registry[Part]) -> None:
    assert registry.add(SlowOtie) == "slow-otie"
    assert registry.get("slow_otie") is SlowOtie
    assert registry.names() == ["otie", "link-context", "slow-otie"]
    again = type("Again", (SlowOtie,), {"name": "slow-otie"})
    registry.add(again)
    assert registry.get("slow-otie") is again
    assert registry.add(Otie) == "otie"  # it is built in


def test_a_class_cannot_be_added_without_a_name_or_under_a_built_in_one(registry: Registry[Part]) -> None:
    with pytest.raises(UsageError, match=r'^Sample has no name: add name = "..." to the class$'):
        registry.add(Sample)
    with pytest.raises(UsageError, match=r'^Other needs another name: "otie" is a built-in strategy$'):
        registry.add(type("Other", (Otie,), {"name": "otie"}))


def test_a_description_is_read_from_the_class(registry: Registry[Part]) -> None:
    description = registry.describe("otie")
    assert description["name"] == "otie"
    assert description["summary"] == "Moves cash along links."
    assert description["paper"] == "Some 2009, A paper"
    assert description["needs_training"] is False
    assert description["parameters"][0] == {
        "name": "flatness",
        "default": 3.0,
        "help": "How little a relevance near one half matters (the paper's d).",
    }
    assert description["parameters"][3]["help"] == "How cash is handed on."
    assert [each["name"] for each in description["parameters"]] == [
        "flatness", "period", "guard", "recrawl", "cap", "words", "begin",
    ]  # fmt: skip


def test_only_keywords_are_parameters() -> None:
    assert describe(LinkContext)["parameters"] == []


def test_text_becomes_what_the_constructor_asks_for() -> None:
    part = make(
        Otie,
        {"flatness": "2.5", "period": "7", "guard": "no", "recrawl": "off", "cap": "3", "words": "a, b"},
    )
    assert (part.flatness, part.period, part.guard, part.recrawl, part.cap, part.words) == (
        2.5, 7, False, "off", 3, ("a", "b"),
    )  # fmt: skip


def test_values_of_toml_are_taken_as_they_are() -> None:
    part = make(Otie, {"flatness": 2, "guard": False, "cap": 5, "words": ["a"]})
    assert (part.flatness, part.guard, part.cap, part.words) == (2.0, False, 5, ("a",))
    assert isinstance(part.flatness, float)
    assert make(Otie, {"cap": "none"}).cap is None


def test_other_arguments_are_handed_through() -> None:
    assert make(LinkContext, {}, "butterflies").brief == "butterflies"


def test_an_unknown_parameter_names_the_nearest() -> None:
    with pytest.raises(
        UsageError, match=r'strategy "otie" has no parameter "flatnes"; did you mean "flatness"\?'
    ):
        make(Otie, {"flatnes": "1"})


def test_a_parameter_of_a_part_without_any_is_refused() -> None:
    with pytest.raises(UsageError, match=r'^strategy "link-context" has no parameter "brief"$'):
        make(LinkContext, {"brief": "1"})


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("flatness", "steep", "\"flatness\" must be a number, not 'steep'"),
        ("flatness", "nan", "\"flatness\" must be a number, not 'nan'"),
        ("flatness", True, '"flatness" must be a number, not True'),
        ("flatness", "-1", '"flatness" must be from 0 to 100, not -1'),
        ("period", "1.5", '"period" must be a whole number'),
        ("period", 1.5, '"period" must be a whole number'),
        ("period", 0, '"period" must be at least 1, not 0'),
        ("guard", "maybe", '"guard" must be true or false'),
        ("guard", 2, '"guard" must be true or false'),
        ("recrawl", "of", '"recrawl" must be one of "virtual", "fetch", "off", not \'of\''),
        ("cap", "x", '"cap" must be a whole number'),
        ("cap", "11", '"cap" must be from 0 to 10, not 11'),
        ("words", 3, '"words" must be a list'),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_one_line(name: str, value: object, wanted: str) -> None:
    with pytest.raises(UsageError) as caught:
        make(Otie, {name: value})
    assert str(caught.value).startswith('strategy "otie": ' + wanted)
    assert "\n" not in str(caught.value)


def test_the_constructor_reads_values_as_the_command_line_does() -> None:
    with pytest.raises(UsageError, match='"flatness" must be from 0 to 100, not 101'):
        Otie(flatness=101)
    assert Otie(flatness=7, recrawl="off").flatness == 7.0


def test_a_parameter_named_like_a_method_has_an_alias() -> None:
    assert Otie().begin() is False
    assert make(Otie, {"begin": "yes"}).begin() is True


def test_a_subclass_adds_parameters_and_declares_others_anew() -> None:
    named = [each["name"] for each in describe(SlowOtie)["parameters"]]
    assert named == ["speed", "period", "flatness", "guard", "recrawl", "cap", "words", "begin"]
    assert (SlowOtie().period, Otie().period, SlowOtie(speed=2).way) == (100, 20, 200.0)


def test_a_signature_shows_the_parameters() -> None:
    shown = inspect.signature(SlowOtie).parameters
    assert (shown["speed"].default, shown["begin"].kind) == (0.5, inspect.Parameter.KEYWORD_ONLY)
    assert list(inspect.signature(LinkContext).parameters) == ["brief"]


def test_keywords_of_a_constructor_of_its_own_are_parameters() -> None:
    assert describe(Foreign)["parameters"] == [{"name": "weight", "default": 1.0, "help": ""}]
    assert make(Foreign, {"weight": "2"}).weight == 2.0


def test_a_class_without_docstring_has_no_first_line() -> None:
    class Silent:
        pass

    assert first_line(Silent) == ""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with three entry points: a part, one that shadows a built-in, two broken."""
    (tmp_path / "sample_plugin.py").write_text(
        'class Mine:\n    kind = "strategy"\n    name = "my-own"\n\nno_class = 3\n'
    )
    metadata = tmp_path / "sample_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sample-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[homing.test-parts]\n"
        "my_own = sample_plugin:Mine\n"
        "otie = sample_plugin:Mine\n"
        "absent = no_such_module:Part\n"
        "number = sample_plugin:no_class\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("plugin")
def test_a_plug_in_is_found_by_its_entry_point(registry: Registry[Part]) -> None:
    assert registry.names() == ["otie", "link-context", "absent", "my-own", "number"]
    assert registry.get("my-own").__name__ == "Mine"


@pytest.mark.usefixtures("plugin")
def test_a_plug_in_cannot_take_the_name_of_a_built_in_part(registry: Registry[Part]) -> None:
    assert registry.get("otie") is Otie


@pytest.mark.usefixtures("plugin")
def test_a_broken_plug_in_is_named(registry: Registry[Part]) -> None:
    with pytest.raises(UsageError, match='the strategy "absent" cannot be loaded: No module named'):
        registry.get("absent")
    with pytest.raises(UsageError, match=r'the strategy "number" cannot be loaded: .* is no strategy'):
        registry.get("number")
