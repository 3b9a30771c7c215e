"""Cosines between the pages of a web."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lab.conftest import drawn, html

from homing.lab.similarity import PageSimilarity
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import record

SITE = "http://a.example"


def test_a_page_is_most_similar_to_itself_and_not_to_one_without_its_words(tmp_path: Path) -> None:
    words = {"/one": "moth wing", "/two": "moth garden", "/three": "train rail"}
    record((html(SITE + path, words=said) for path, said in words.items()), tmp_path / "web")
    with RecordedWeb(tmp_path / "web") as web:
        cosines = PageSimilarity(web).to([f"{SITE}/one"])[:, 0]
        one, two, three = (cosines[web.numbers[SITE + path]] for path in words)
    assert one == pytest.approx(1.0)
    assert 0.1 < two < 0.9
    assert three == 0.0


def test_vectors_are_computed_once_and_kept_beside_the_web(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/a",), "/a": ()}, targets=("/a",))
    first = PageSimilarity(web).to([f"{SITE}/a"])
    (kept,) = (tmp_path / "web").glob("vectors-*.npz")
    written = kept.stat().st_mtime_ns
    assert (PageSimilarity(web).to([f"{SITE}/a"]) == first).all()
    assert kept.stat().st_mtime_ns == written
