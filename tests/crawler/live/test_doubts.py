"""Examples that do not tell the topic from the rest: said before the crawl, and at its first pages."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homing.crawler.live.doubts import FIRST
from homing.store.folder import Layout
from homing.store.views.reader import Reader

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, SmallWeb

HERE = "http://a.example"
SHARED = "moth wing nectar garden flower caterpillar".split()
OWN = [f"{kind}{number}" for kind in ("tower", "engine", "recipe", "planet", "coin") for number in range(40)]


def examples(folder: Path, *, own: int, shared: int) -> list[str]:
    """Five pages, each with some words of its own and some that all of them share."""
    folder.mkdir()
    for number in range(5):
        mine = OWN[40 * number : 40 * number + own]
        text = " ".join([*SHARED[:shared] * 3, *mine])
        (folder / f"{number}.html").write_text(f"<title>page {number}</title><p>{text}</p>")
    return [str(folder)]


def web_of(small: SmallWeb, words: list[str]) -> None:
    dice = random.Random(1)
    for number in range(FIRST + 10):
        text = " ".join(dice.choices(words, k=60))
        small.page(f"{HERE}/{number}", f"/{number + 1}", text=text)


def doubt(folder: Folder) -> str:
    with Reader(folder.root) as reader:
        return str(reader.figures()["doubt"])


def crawl(folder: Folder, said: list[str], pages: int) -> str:
    folder.run(f"{HERE}/0", topic={"text": "", "examples": said}, stop={"pages": pages})
    return doubt(folder)


def test_examples_with_little_in_common_are_doubted_before_the_first_page(
    small: SmallWeb, folder: Folder, tmp_path: Path
) -> None:
    web_of(small, OWN)
    said = crawl(folder, examples(tmp_path / "unlike", own=40, shared=0), pages=1)
    assert said.startswith("the examples have little in common (0.")


def test_examples_that_are_alike_are_not(small: SmallWeb, folder: Folder, tmp_path: Path) -> None:
    web_of(small, OWN)
    assert crawl(folder, examples(tmp_path / "alike", own=3, shared=6), pages=FIRST + 5) == ""


@pytest.mark.parametrize(("pages", "spoken"), [(FIRST - 1, False), (FIRST + 5, True)])
def test_first_pages_that_beat_the_examples_are_doubted_once_there_are_enough(
    small: SmallWeb, folder: Folder, tmp_path: Path, pages: int, spoken: bool
) -> None:
    web_of(small, SHARED)
    said = crawl(folder, examples(tmp_path / "some", own=8, shared=6), pages=pages)
    assert said.startswith(f"the first {FIRST} pages look more like the topic") == spoken
    log = Layout(folder.root).log.read_text()
    assert ('"doubt"' in log) == spoken


def test_a_page_that_is_not_there_does_not_silence_it(
    small: SmallWeb, folder: Folder, tmp_path: Path
) -> None:
    web_of(small, SHARED)
    small.page(f"{HERE}/begin", "/gone", "/0")
    said = examples(tmp_path / "some", own=8, shared=6)
    folder.run(f"{HERE}/begin", topic={"text": "", "examples": said}, stop={"pages": FIRST + 5})
    assert doubt(folder)
