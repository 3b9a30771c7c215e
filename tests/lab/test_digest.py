"""Which code a result depends on."""

from __future__ import annotations

import pytest

from homing.lab import digest
from homing.lab.digest import code_digest, module_of
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.trained.sequence.crf import Crf
from homing.strategies.trained.sequence.memm import Memm


def changed(monkeypatch: pytest.MonkeyPatch, module: str, *roots: str) -> bool:
    """Whether another source of a module changes the digest of those that may depend on it."""
    before = code_digest(roots)
    original = digest._source
    with monkeypatch.context() as patch:
        patch.setattr(digest, "_source", lambda name: original(name) + b"\n# changed" * (name == module))
        return code_digest(roots) != before


def test_a_strategy_depends_on_what_it_imports_and_not_on_its_siblings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crf = module_of(Crf)
    assert changed(monkeypatch, "homing.strategies.trained.sequence.crf", crf)
    assert changed(monkeypatch, "homing.strategies.trained.sequence.chain", crf)
    assert changed(monkeypatch, "homing.text.words", crf)
    assert not changed(monkeypatch, "homing.strategies.trained.sequence.memm", crf)
    assert not changed(monkeypatch, "homing.strategies.cash.opic", module_of(BreadthFirst))
    assert code_digest([crf]) != code_digest([module_of(Memm)])


def test_a_replay_depends_on_the_engine_and_the_frontier_and_on_no_strategy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replay = "homing.lab.crawl"
    assert changed(monkeypatch, "homing.crawler.engine", replay)
    assert changed(monkeypatch, "homing.frontier.frontier", replay)
    assert not changed(monkeypatch, "homing.strategies.cash.opic", replay)
    assert not changed(monkeypatch, "homing.judge.svm", replay)
