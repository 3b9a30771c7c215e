"""The live engine on a recorded web (``replay``, ``crawl``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lab.conftest import drawn

from homing.demo.web.little_web import LittleWeb
from homing.judge import Brief
from homing.judge.examples import Examples
from homing.judge.keywords import Keywords
from homing.lab.crawl import crawl
from homing.lab.replay import Remembering
from homing.lab.web.recorded import RecordedWeb
from homing.model import Judgement, Page
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext
from homing.strategies.trained.sequence.memm import Memm

SITE = "http://a.example"


def test_breadth_first_takes_pages_in_the_order_in_which_links_were_found(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/b", "/a"), "/a": ("/c",), "/b": ("/d", "/"), "/c": (), "/d": ()})
    trace = crawl(web, BreadthFirst(), Keywords("moth"), [f"{SITE}/"], pages=10)
    assert [url.removeprefix(SITE) for url in trace.urls] == ["/", "/b", "/a", "/d", "/c"]


def test_a_link_out_of_the_recording_costs_nothing_or_a_request(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/gone", "/a"), "/a": ()})
    judge = Keywords("moth")
    ignored = crawl(web, BreadthFirst(), judge, [f"{SITE}/"], pages=10, outside="ignore")
    assert ignored.urls == (f"{SITE}/", f"{SITE}/a")
    failed = crawl(web, BreadthFirst(), judge, [f"{SITE}/"], pages=10, outside="fail")
    assert failed.urls == (f"{SITE}/", f"{SITE}/gone", f"{SITE}/a")


def test_excluded_pages_are_as_if_they_had_not_been_recorded(tmp_path: Path) -> None:
    drawn(tmp_path / "web", {"/": ("/list/1", "/a"), "/list/1": ("/b",), "/a": (), "/b": ()}).close()
    with RecordedWeb(tmp_path / "web", exclude=["*/list/*"]) as web:
        trace = crawl(web, BreadthFirst(), Keywords("moth"), [f"{SITE}/"], pages=10)
        assert trace.urls == (f"{SITE}/", f"{SITE}/a")
        assert len(web.links()[0]) == 1


def test_a_folder_without_its_slash_leads_to_the_folder_and_costs_nothing(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/ann", "/bob/index.html"), "/ann/": (), "/bob/": ()})
    trace = crawl(web, BreadthFirst(), Keywords("moth"), [f"{SITE}/"], pages=10)
    assert trace.urls == (f"{SITE}/", f"{SITE}/ann/", f"{SITE}/bob/")


@pytest.mark.parametrize("outside", ["ignore", "fail"])
def test_the_same_replay_twice_takes_the_same_pages(
    little: RecordedWeb, little_web: LittleWeb, outside: str
) -> None:
    judge = Remembering(Keywords(little_web.topic))
    options = {"fit_after": 60, "walks": 60, "vocabulary": 40}
    first, second = (
        crawl(little, Memm(**options), judge, little_web.seeds, pages=120, outside=outside)  # type: ignore[arg-type]
        for _ in range(2)
    )
    assert first.urls == second.urls
    assert first.fits > 0
    assert first.fit_seconds > 0
    assert first.cpu_seconds > 0


def test_no_page_is_parsed_or_judged_twice(little: RecordedWeb, little_web: LittleWeb) -> None:
    class Counting(Keywords):
        asked = 0

        def judge(self, page: Page) -> Judgement:
            Counting.asked += 1
            return super().judge(page)

    judge = Remembering(Counting(little_web.topic))
    one = crawl(little, BreadthFirst(), judge, little_web.seeds, pages=60)
    other = crawl(little, LinkContext(), judge, little_web.seeds, pages=60)
    assert Counting.asked == len({url for url in (*one.urls, *other.urls) if little.has_page(url)}) < 120


def test_a_focused_replay_finds_more_than_breadth_first(little: RecordedWeb, little_web: LittleWeb) -> None:
    positives = little.labelled("target")
    brief = Brief(examples=tuple(map(little.page, positives[:4])))
    judge = Remembering(Examples(brief))
    found = {
        strategy.name: len(
            {*positives[4:]} & {*crawl(little, strategy, judge, little_web.seeds, pages=60).urls}
        )
        for strategy in (BreadthFirst(), LinkContext())
    }
    assert found["link-context"] > 1.5 * found["breadth-first"] > 0
