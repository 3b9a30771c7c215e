"""The runs of the lab in the app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser
from tests.lab.made import campaign
from tests.serve.browsing import complaints_of_axe, needs_chromium, tab
from tests.serve.serving import serving

from homing.cli import main
from homing.lab.pictures import draw
from homing.lab.results.file import Results, results_of
from homing.lab.results.timings import timings_of

NAMES = ["oracle", "otie", "breadth-first", "<b>random"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``homing lab run`` writes, of runs that were made up."""
    folder = tmp_path_factory.mktemp("lab") / "my-run"
    folder.mkdir()
    runs = campaign(NAMES, 1, 2)
    results_of(runs, web="little").write(folder)
    timings_of(runs).write(folder)
    draw(runs, Results.read(folder), timings_of(runs), folder / "pictures")
    return folder


@pytest.fixture(scope="module")
def lab(crawled: Path, run: Path) -> Iterator[str]:
    with serving(crawled, labs=[run]) as address:
        yield address


def test_the_tables_are_those_of_the_command(lab: str, run: Path) -> None:
    listed = httpx.get(f"{lab}/lab").text
    assert 'href="/lab/my-run"' in listed
    page = httpx.get(f"{lab}/lab/my-run").text
    results = Results.read(run)
    best = next(each for each in results.summary if not each.is_limit)
    assert f"<bdi>{best.name}</bdi>" in page
    assert "&lt;b&gt;random" in page
    assert "<b>random" not in page
    assert "Against breadth-first" in page
    assert "Against otie" in httpx.get(f"{lab}/lab/my-run?baseline=otie").text


def test_pictures_are_shown_and_nothing_else_of_the_folder(lab: str, run: Path) -> None:
    pictures = sorted(path.name for path in (run / "pictures").glob("*.svg"))
    assert pictures
    for picture in pictures:
        reply = httpx.get(f"{lab}/lab/my-run/pictures/{picture}")
        assert reply.headers["content-type"] == "image/svg+xml"
        assert reply.content == (run / "pictures" / picture).read_bytes()
    for other in ("results.json", "..%2fresults.json", "nothing.svg"):
        assert httpx.get(f"{lab}/lab/my-run/pictures/{other}").status_code == 404
    assert httpx.get(f"{lab}/lab/no-run").status_code == 404
    assert httpx.get(f"{lab}/lab/my-run?baseline=nobody").status_code == 400


def test_runs_beside_the_crawl_are_found_and_damaged_ones_reported(crawled: Path) -> None:
    beside = crawled.parent / "beside"
    beside.mkdir()
    (beside / "results.json").write_text("{")
    try:
        with serving(crawled) as address:
            assert "results.json cannot be read" in httpx.get(f"{address}/lab").text
            assert httpx.get(f"{address}/lab/beside").status_code == 400
    finally:
        (beside / "results.json").unlink()
        beside.rmdir()


def test_a_folder_that_is_no_run_is_refused_at_once(
    crawled: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["serve", str(crawled), "--lab", str(tmp_path)])
    assert left.value.code == 2
    assert f"{tmp_path} holds no results.json" in capfd.readouterr().err


@needs_chromium
def test_a_browser_draws_the_pictures(browser: Browser, lab: str) -> None:
    with tab(browser, lab) as page:
        page.goto("/lab/my-run")
        for image in page.locator(".drawn img").all():
            image.scroll_into_view_if_needed()
            image.evaluate("image => image.decode()")
            assert image.evaluate("image => image.naturalWidth") > 100
        assert complaints_of_axe(page, ["/lab/my-run"]) == []
