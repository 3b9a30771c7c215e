"""Local graphs grown from a web: layers, quotas, promotion; edge lists and browsing sessions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from homing.errors import UsageError
from homing.model import Link, Page
from homing.trails import EdgeList, LocalGraph, grow, read_edges, read_sessions

MOTHS = "hawk moths hover in front of flowers at dusk"


def web(links: Mapping[str, str], texts: Mapping[str, str] | None = None) -> dict[str, Page]:
    """Pages with one letter for a name, and the letters they link to."""
    return {
        name: Page(
            url=name,
            text=(texts or {}).get(name, f"page {name * 5} about {name * 7}"),
            links=tuple(Link(url=each, place=place) for place, each in enumerate(targets)),
            language="en",
        )
        for name, targets in links.items()
    }


def backlinks(pages: Mapping[str, Page]) -> EdgeList:
    return EdgeList((name, link.url) for name, page in pages.items() for link in page.links)


def test_layers_are_found_backwards_from_the_target() -> None:
    pages = web({"t": "", "a": "t", "b": "t", "c": "a", "d": "c", "e": "d", "f": "e", "x": ""})
    graph = grow(["t"], backlinks(pages), pages.get, layers=3)
    assert graph.layers == {"t": 0, "a": 1, "b": 1, "c": 2, "d": 3}
    assert graph.distances == graph.layers
    assert "e" not in graph.pages


def test_each_page_of_a_layer_brings_the_same_number_of_pages_above_it() -> None:
    pages = web({"s": "", "t": "", **dict.fromkeys("abcdefgh", "s"), "i": "t", "j": "t"})
    graph = grow(["s", "t"], backlinks(pages), pages.get, layers=1, pages_a_layer=4)
    assert graph.layers == {"s": 0, "t": 0, "a": 1, "b": 1, "i": 1, "j": 1}


def test_pages_whose_words_are_like_a_targets_are_targets_too() -> None:
    pages = web({"t": "", "a": "t", "b": "a", "c": "b"}, {"t": MOTHS, "b": f"{MOTHS} indeed"})
    graph = grow(["t"], backlinks(pages), pages.get)
    assert graph.targets == {"t", "b"}
    assert graph.distances == {"t": 0, "b": 0, "a": 1, "c": 1}
    assert graph.layers == {"t": 0, "a": 1, "b": 2, "c": 3}


def test_pages_that_nobody_has_kept_are_passed_over() -> None:
    pages = web({"t": "", "a": "t"})
    graph = grow(["t", "gone"], EdgeList([("lost", "t"), ("a", "t")]), pages.get)
    assert set(graph.pages) == {"t", "a"}


def test_without_any_target_there_is_one_clear_line() -> None:
    with pytest.raises(UsageError, match="none of the targets is among the recorded pages"):
        grow(["gone"], EdgeList([]), web({}).get)


def test_sessions_are_the_trails_parted_where_no_link_leads_on() -> None:
    pages = web({"a": "b", "b": "c", "c": "a", "d": "c"})
    graph = LocalGraph(pages.values(), {"c"}, sessions=[("a", "b", "c", "d", "c"), ("d",)])
    trails = graph.trails(10, seed=0)
    assert sorted("".join(step.page.url for step in trail) for trail in trails) == ["abc", "dc"]
    assert {step.distance for trail in trails for step in trail} == {0, 1, 2}
    assert all(step.link is not None for trail in trails for step in trail[1:])


def test_a_session_longer_than_ten_pages_is_parted() -> None:
    pages = web({"a": "b", "b": "a"})
    graph = LocalGraph(pages.values(), {"a"}, sessions=["ab" * 7])
    assert sorted(map(len, graph.trails(10, seed=0))) == [4, 10]


def test_edges_and_sessions_are_read_from_files(tmp_path: Path) -> None:
    edges = tmp_path / "edges.tsv"
    edges.write_text("# from to\nhttp://a.example/\thttp://b.example\n\n")
    assert list(read_edges(edges)) == [("http://a.example/", "http://b.example/")]
    sessions = tmp_path / "sessions.txt"
    sessions.write_text("http://a.example/ http://b.example/ http://c.example/\nhttp://a.example/\n")
    assert [len(session) for session in read_sessions(sessions)] == [3, 1]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"http://a.example/\n", "line 1: two URLs are wanted"),
        (b"http://a.example/ moth\n", 'line 1: "moth" is no http'),
        (b"\xff\xfe\x00", "is no text file"),
    ],
)
def test_a_file_that_is_no_list_of_links_gets_one_clear_line(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "edges.tsv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=complaint):
        list(read_edges(path))


def test_sessions_of_single_pages_teach_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.txt"
    path.write_text("http://a.example/\n")
    with pytest.raises(UsageError, match="no session of two pages"):
        read_sessions(path)
    with pytest.raises(UsageError, match="cannot read"):
        read_sessions(tmp_path / "missing.txt")
