"""From the arguments to a configuration."""

from pathlib import Path

import pytest

from homing.cli.crawl import request
from homing.config import Config
from homing.errors import UsageError

SEED = "https://seed.example/"


def test_urls_are_seeds_and_the_other_argument_is_the_topic_in_any_order() -> None:
    arguments = [SEED, "node.js", "HTTP://b.example", SEED]
    assert request.sort_arguments(arguments) == ("node.js", (SEED, "HTTP://b.example"))


@pytest.mark.parametrize(
    ("text", "value"),
    [("a=3", 3), ("a=0.5", 0.5), ("a=true", True), ("a=max", "max"), ("a='3'", "3"), ("a=[1, 2]", [1, 2])],
)
def test_a_setting_is_read_as_toml_or_else_as_text(text: str, value: object) -> None:
    assert request.read_setting(text) == ("a", value)


def test_a_setting_keeps_everything_after_the_first_equals_sign() -> None:
    assert request.read_setting("query=a=b") == ("query", "a=b")


def test_a_setting_goes_to_the_part_that_knows_it() -> None:
    config = request.place_settings(Config(), {"coverage": 0.7})
    assert config.judge.parameters == {"coverage": 0.7}
    assert config.strategy.parameters == {}


def test_a_setting_can_name_its_part() -> None:
    assert request.place_settings(Config(), {"judge.coverage": 0.7}).judge.parameters == {"coverage": 0.7}
    with pytest.raises(UsageError, match="neither"):
        request.place_settings(Config(), {"strategy.coverage": 0.7})


def test_resuming_keeps_what_is_stored_and_adds_seeds() -> None:
    stored = Config.of(
        {
            "topic": {"text": "bees"},
            "seeds": {"urls": [SEED]},
            "strategy": {"name": "best-first"},
            "stop": {"pages": 10, "minutes": 5},
        }
    )
    asked = Config.of({"seeds": {"urls": ["https://b.example/", SEED]}, "stop": {"pages": 20}})
    whole = request.resumed(stored, asked)
    assert whole.topic.text == "bees"
    assert whole.seeds.urls == (SEED, "https://b.example/")
    assert whole.strategy.name == "best-first"
    assert (whole.stop.pages, whole.stop.minutes) == (20, 5)


def test_a_folder_without_a_configuration_stores_none(tmp_path: Path) -> None:
    assert request.stored_in(tmp_path) is None
    assert request.stored_in(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("Butterfly gardening", "butterfly-gardening"),
        ("../../etc/passwd", "etc-passwd"),
        ("蝶の庭", "蝶の庭"),
        ("!?", "crawl"),
        ("long " * 50, "long-" * 11 + "long"),
    ],
)
def test_a_folder_is_named_like_its_topic_and_never_leads_elsewhere(topic: str, name: str) -> None:
    assert request.folder_for(topic) == Path(name)
