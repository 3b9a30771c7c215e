"""``homing export --rank-by layered``: what a crawl has found, in the order of its strategy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.parse import PageParser
from homing.strategies.trained.layers.layered import Layered

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]

BY_STRATEGY = ("--rank-by", "layered", "--format", "urls")


@pytest.fixture
def crawl(homing: Homing, served: Served) -> Callable[..., None]:
    """``homing crawl`` of 40 pages by a strategy that fits itself after 25, unless it is given a model."""

    def run(*options: object, strategy: str = "layered") -> None:
        asked = ["butterfly gardening", *served.web.seeds, *served.options, "--concurrency", 1]
        asked += ["--strategy", strategy, "--pages", 40, "--quiet", *options]
        assert homing("crawl", *asked).returncode == 0

    return run


def ranks(folder: Path, served: Served, urls: list[str]) -> list[float]:
    """How the strategy ranks these pages when the crawl resumes."""
    opened = open_crawl(Config.load(folder / "crawl.toml"), folder)
    try:
        strategy = opened._engine.parts.strategy
        assert isinstance(strategy, Layered)
        assert strategy.fitted
        return [strategy.rank(PageParser().read(served.reply(url))) for url in urls]
    finally:
        opened.close()


@pytest.mark.parametrize("given", [False, True], ids=["fitted on the way", "with a model"])
def test_pages_come_in_the_order_of_the_strategy(
    given: bool, homing: Homing, served: Served, crawl: Callable[..., None], tmp_path: Path
) -> None:
    crawl("--out", "first", "--set", "fit_after=10")
    folder = "first"
    if given:
        assert homing("fit", "first", "--strategy", "layered", "--out", "a.model").returncode == 0
        crawl("--out", "second", "--model", "a.model")
        folder = "second"
    by_strategy = homing("export", folder, *BY_STRATEGY).stdout.split()
    by_score = homing("export", folder, "--format", "urls").stdout.split()
    assert sorted(by_strategy) == sorted(by_score)
    assert by_strategy != by_score
    found = [url for url in by_strategy if served.web.pages[url].status == 200]
    assert by_strategy[: len(found)] == found, "what is no page comes last"
    assert all(better >= worse for better, worse in pairwise(ranks(tmp_path / folder, served, found)))

    relevant = homing("export", folder, *BY_STRATEGY, "--relevant-only").stdout.split()
    assert relevant == [url for url in by_strategy if url in set(relevant)]
    assert 0 < len(relevant) < len(found)


def test_pages_whose_bodies_were_not_kept_come_last_by_their_score(
    homing: Homing, crawl: Callable[..., None], tmp_path: Path
) -> None:
    (tmp_path / "thrifty.toml").write_text('[store]\nkeep = "relevant"\n')
    crawl("--out", "old", "--config", "thrifty.toml", "--set", "fit_after=10")
    relevant = homing("export", "old", *BY_STRATEGY, "--relevant-only").stdout.split()
    by_score = homing("export", "old", "--format", "urls").stdout.split()
    others = [url for url in by_score if url not in relevant]
    assert homing("export", "old", *BY_STRATEGY).stdout.split() == [*relevant, *others]


def test_what_cannot_be_ranked_is_one_line_and_writes_nothing(
    homing: Homing, crawl: Callable[..., None], tmp_path: Path
) -> None:
    crawl("--out", "old", strategy="best-first")
    for options, words in (
        (("--rank-by", "layered"), 'old was crawled by "best-first"'),
        (("--rank-by", "layerd"), '--rank-by cannot be "layerd"; did you mean "layered"?'),
        (("--rank-by", "layered", "--format", "graphml"), "a graph has no order"),
    ):
        done = homing("export", "old", *options, "--out", "pages")
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
        assert [path.name for path in tmp_path.iterdir()] == ["old"]
