"""Pages that lie together (``folders``, ``tokens``)."""

import json

import numpy as np
import pytest

from homing.model import Link, Page, Topic
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.tokens import MOST_FOLDERS, folders_of, leading_to, words_of_links


def relevance_of(folders: Folders, *urls: str, average: float = 0.5) -> list[float]:
    found = [folders_of(url) for url in urls]
    owners = np.repeat(np.arange(len(urls)), [len(each) for each in found])
    of: list[float] = folders.of(np.concatenate(found), owners, count=len(urls), average=average).tolist()
    return of


def topic(*urls: str) -> Topic:
    examples = tuple(Page(url=url) for url in urls)
    return Topic(text="", examples=examples, rate=lambda texts: [0.0] * len(texts))


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert relevance_of(Folders(remember=10), "http://a.example/x/y", "http://b.example/") == [0, 0]


def test_a_folder_is_held_to_the_one_it_lies_in() -> None:
    """By hand: the host has two pages, 1 and 0, so (1 - 2 × .2) / (2 + 3); its folder one, 1, and so on."""
    folders = Folders(remember=10)
    folders.add(1, "http://a.example/moths/one", score=1.0)
    folders.add(2, "http://a.example/two", score=0.0)
    host = (1 - 2 * 0.2) / (2 + 3)
    moths = (1 - 0.2 + 3 * host) / (1 + 3)
    urls = ("http://a.example/new", "http://a.example/moths/new", "http://a.example/ships/new")
    assert relevance_of(folders, *urls, average=0.2) == pytest.approx([host, moths, host])


def test_examples_count_before_any_page_has_come() -> None:
    folders = Folders(remember=10)
    folders.begin(topic("http://a.example/moths/one"))
    moths, trains, elsewhere = relevance_of(
        folders, "http://a.example/moths/", "http://a.example/trains/", "http://b.example/"
    )
    assert moths > trains > elsewhere == 0


def test_the_words_of_a_link_tell_the_same_folders() -> None:
    urls = ["http://a.example/garden/moths/new", "http://b.example/", "http://a.example/a/b/c/d/e/f"]
    links = [Link(url=url, anchor="so many words", around="here") for url in urls]
    words, counts = words_of_links(links, "en")
    found, owners = leading_to(words, np.repeat(np.arange(len(urls)), counts))
    for place, url in enumerate(urls):
        assert found[owners == place].tolist() == folders_of(url).tolist()
    assert len(folders_of(urls[2])) == MOST_FOLDERS


def test_pages_that_turn_out_otherwise_count_so() -> None:
    folders = Folders(remember=10)
    folders.add(1, "http://a.example/moths/one", score=0.0)
    folders.add(2, "http://a.example/trains/one", score=1.0)
    folders.rescore(np.array([2, 1]), np.array([0.0, 1.0]))
    moths, trains = relevance_of(folders, "http://a.example/moths/new", "http://a.example/trains/new")
    assert moths > 0 > trains


def test_the_oldest_pages_are_forgotten() -> None:
    folders, late = Folders(remember=3), Folders(remember=3)
    for number in range(7):
        folders.add(number, f"http://a.example/{'old' if number < 4 else 'new'}/{number}", score=0.9)
        if number >= 4:
            late.add(number, f"http://a.example/new/{number}", score=0.9)
    urls = ("http://a.example/old/x", "http://a.example/new/x")
    assert relevance_of(folders, *urls) == relevance_of(late, *urls)


def test_it_is_the_same_after_a_trip_through_json() -> None:
    folders, restored = Folders(remember=10), Folders(remember=10)
    for each in (folders, restored):
        each.begin(topic("http://a.example/moths/one"))
    for number in range(5):
        folders.add(number, f"http://a.example/trains/{number}", score=number / 7)
    restored.restore(json.loads(json.dumps(folders.state())))
    urls = ("http://a.example/moths/x", "http://a.example/trains/x")
    assert relevance_of(restored, *urls) == relevance_of(folders, *urls)
