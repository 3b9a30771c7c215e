"""Files of this machine are not taken from the browser, whatever field or parameter names them."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.serve.pages.test_start import SEED, alerts

from homing.config import Config
from homing.config.keys import Key
from homing.errors import UsageError
from homing.judge import JUDGES
from homing.parameters import text_parameters
from homing.serve.crawl.local_files import PATHS, check_settings, check_sources
from homing.strategies import STRATEGIES

SECRET = "SECRET-OF-THIS-MACHINE"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.csv"
    path.write_text(f"{SECRET},label,terms\n{SECRET}\n")
    return path


@pytest.mark.parametrize(
    "setting",
    [
        "taxonomy={}",
        " taxonomy = {}",
        'taxonomy="{}"',
        "judge.taxonomy={}",
        "strategy.taxonomy={}",
        "repeats=0\njudge.taxonomy={}",
        "language={}",
    ],
)
@pytest.mark.parametrize("chosen", [{"judge": "decimal"}, {"strategy": "treasure", "judge": "decimal"}])
def test_a_parameter_that_may_name_a_file_is_refused(
    owner: httpx.Client, crawled: Path, secret: Path, setting: str, chosen: dict[str, str]
) -> None:
    before = set(crawled.parent.iterdir())
    filled = {"topic": "moths", "seeds": SEED, "settings": setting.format(secret), **chosen}
    reply = owner.post("/new", data=filled, follow_redirects=True)
    assert reply.status_code == 400
    (line,) = alerts(reply.text)
    assert "homing crawl --set" in line
    assert SECRET not in reply.text
    assert set(crawled.parent.iterdir()) == before


@pytest.mark.parametrize("field", ["examples", "negatives", "seeds"])
@pytest.mark.parametrize("text", ["{}", "file://{}", "x://{}", "file:{}", "~/{}", "https://\x00{}"])
def test_a_field_takes_urls_and_no_paths(
    owner: httpx.Client, crawled: Path, secret: Path, field: str, text: str
) -> None:
    before = set(crawled.parent.iterdir())
    filled = {"topic": "moths", "seeds": SEED, field: text.format(secret)}
    reply = owner.post("/new", data=filled)
    assert reply.status_code == 400
    assert SECRET not in reply.text
    assert set(crawled.parent.iterdir()) == before


@pytest.mark.parametrize("field", ["model", "taxonomy", "file", "seed_file", "config", "out", "set"])
def test_a_field_that_the_form_does_not_have_is_ignored_or_refused(
    owner: httpx.Client, crawled: Path, secret: Path, field: str
) -> None:
    before = set(crawled.parent.iterdir())
    reply = owner.post("/new", data={"topic": "moths", "seeds": "nowhere", field: str(secret)})
    assert reply.status_code in (400, 422)
    assert SECRET not in reply.text
    assert set(crawled.parent.iterdir()) == before


def test_the_settings_that_name_files_are_known() -> None:
    assert {key.path for key in PATHS} == {
        "topic.examples",
        "topic.negatives",
        "topic.model",
        "seeds.file",
        "strategy.model",
    }


@pytest.mark.parametrize("key", PATHS, ids=lambda key: key.path)
def test_each_of_them_is_refused_in_a_configuration(key: Key) -> None:
    value = ["/etc/passwd"] if key.has_many else "/etc/passwd"
    config = Config.of({"topic": {"text": "moths"}}).merged({key.section: {key.name: value}})
    with pytest.raises(UsageError, match=f'{key.name}: "/etc/passwd" is no URL'):
        check_sources(config)


def test_urls_are_accepted() -> None:
    check_sources(Config.of({"topic": {"text": "moths", "examples": ["https://a.example/"]}}))


def test_numbers_and_choices_are_accepted() -> None:
    check_settings(["window=20", "compare=max", "strategy.recrawl=off", "nosuch=1", "no equals sign"])


def test_a_parameter_that_takes_any_text_may_be_read_as_a_path() -> None:
    assert text_parameters(STRATEGIES.get("treasure")) == {"taxonomy"}
    assert text_parameters(JUDGES.get("decimal")) == {"taxonomy", "language"}
