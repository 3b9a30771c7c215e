"""The commands have the same names and parameters everywhere."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from homing.crawler.crawl import Crawl
from homing.crawler.live.verbs import VERBS, read_verb
from homing.errors import UsageError

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("verb", VERBS)
def test_a_crawl_has_a_method_for_every_verb_with_the_same_parameters(verb: str) -> None:
    parameters = inspect.signature(getattr(Crawl, verb)).parameters.keys() - {"self"}
    if verb == "stop":
        parameters -= {"reason"}  # from outside there is one
    assert parameters == VERBS[verb].model_fields.keys() - {"kind"}


def test_the_documentation_lists_every_verb() -> None:
    table = (DOCS / "formats.md").read_text().partition("## `inbox.db`")[2].partition("\n## ")[0]
    listed = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in row.split(", ")]
    assert [name.strip("`") for name in listed] == ["kind", *VERBS]


def test_what_was_read_is_read_again_from_its_payload() -> None:
    for kind, payload in (
        ("set_pace", {"pages_per_second": float("inf")}),
        ("set_pace", {"delay": 1, "pages_per_second": 0.5}),
        ("add_seeds", {"urls": ["https://a.example/"]}),
        ("block", {"pattern": " a.example "}),
    ):
        verb = read_verb(kind, payload)
        assert read_verb(verb.kind, verb.payload()) == verb


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("pause", {"seconds": 1}, 'there is no key "seconds"'),
        ("set_pace", {}, "nothing to set"),
        ("set_pace", {"delay": None}, "nothing to set"),
        ("set_pace", {"pages_per_second": float("nan")}, "pages_per_second must be a finite number"),
        ("label", {"url": "https://a.example/", "relevant": "yes"}, "relevant must be true or false"),
    ],
)
def test_a_payload_is_checked(kind: str, payload: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_verb(kind, payload)
