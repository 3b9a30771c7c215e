"""What is fitted needs the extra ``train``; what crawls, judges and ranks does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.errors import UsageError
from homing.extras import check_can_fit
from homing.judge import JUDGES, Brief
from homing.model import Page
from homing.strategies import STRATEGIES
from homing.topic.gathered import judge_for

MOTHS = Page(url="http://a.example/", text="Moths and butterflies drink nectar from flowers.")
TRAINS = Page(url="http://b.example/", text="The trains to the coast are late again.")
BRIEF = Brief(text="insects", examples=(MOTHS,), negatives=(TRAINS,))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("scipy", "sklearn"):
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.usefixtures("bare")
def test_of_the_judges_svm_and_neural_alone_need_the_extra() -> None:
    refused = []
    for name in JUDGES.names():
        try:
            JUDGES.get(name)(BRIEF)
        except UsageError as error:
            refused.append(str(error))
    assert refused == [
        f"to fit the judge \"{name}\" Homing needs scikit-learn: pip install 'homing[train]'"
        for name in ("svm", "neural")
    ]


@pytest.mark.parametrize("name", ["svm", "neural"])
def test_a_judge_that_was_fitted_judges_without_the_extra(name: str, request: pytest.FixtureRequest) -> None:
    judge = JUDGES.get(name)(BRIEF)
    request.getfixturevalue("bare")
    loaded = JUDGES.get(name).from_state(judge.state())
    assert loaded.judge(MOTHS) == judge.judge(MOTHS)


@pytest.mark.usefixtures("bare")
def test_of_the_strategies_memm_and_crf_alone_need_the_extra() -> None:
    refused = []
    for name in STRATEGIES.names():
        try:
            check_can_fit(STRATEGIES.get(name))
        except UsageError as error:
            refused.append(str(error))
    assert sorted(refused) == [
        f"to fit the strategy \"{name}\" Homing needs scipy: pip install 'homing[train]'"
        for name in ("crf", "memm")
    ]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("part", [{"strategy": {"name": "crf"}}, {"judge": {"name": "svm"}}])
def test_a_crawl_that_cannot_fit_is_refused_before_it_begins(
    part: dict[str, dict[str, object]], tmp_path: Path
) -> None:
    topic = {"text": "moths", "examples": ["http://127.0.0.1:1/nobody-answers"]}
    config = Config.of({"topic": topic, "seeds": {"urls": ["http://127.0.0.1:1/"]}, **part})
    with pytest.raises(UsageError, match="homing\\[train\\]"):
        open_crawl(config, tmp_path / "crawl")
    assert not (tmp_path / "crawl").exists()


@pytest.mark.usefixtures("bare")
def test_a_judge_in_a_model_file_is_not_refused() -> None:
    assert judge_for(Config.of({"topic": {"model": "moths.model"}, "judge": {"name": "svm"}})) == "svm"


def test_all_that_is_not_fitted_by_a_package_crawls_without_it() -> None:
    code = """
import sys
sys.modules["scipy"] = sys.modules["sklearn"] = None
from homing.checks.replays import replay
from homing.checks.webs import toy_web
from homing.strategies import STRATEGIES
for name in STRATEGIES.names():
    strategy = STRATEGIES.get(name)
    if not strategy.fitted_by:
        assert replay(toy_web(seed=1), strategy(), pages=200).harvest, name
"""
    subprocess.run([sys.executable, "-c", code], check=True)
