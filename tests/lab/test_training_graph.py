"""A recorded web as training data."""

from __future__ import annotations

from pathlib import Path

from tests.lab.conftest import drawn

from homing.lab.training_graph import WebPages

SITE = "http://a.example"


def test_labelled_pages_and_links_are_those_of_the_web(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/moth", "/outside"), "/moth": ("/",)}, targets=("/moth",))
    pages = WebPages(web)
    assert pages.labels() == {"on"}
    assert pages.labelled("on") == [f"{SITE}/moth"]
    assert pages.at(f"{SITE}/outside") is None
    home = pages.at(f"{SITE}/")
    assert home is not None
    assert [link.url for link in home.links] == [f"{SITE}/moth", f"{SITE}/outside"]
    within = [(f"{SITE}/", f"{SITE}/moth"), (f"{SITE}/moth", f"{SITE}/")]
    assert sorted(pages.edges()) == within


def test_links_to_a_page_outside_are_told_if_it_is_named(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/moth", "/outside"), "/moth": ()}, targets=("/moth",))
    outside = f"{SITE}/outside"
    assert (f"{SITE}/", outside) not in list(WebPages(web).edges())
    assert (f"{SITE}/", outside) in list(WebPages(web).edges(also={outside}))
