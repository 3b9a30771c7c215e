"""Names of pages before they are fetched (``names``)."""

import numpy as np
import pytest

from homing.model import Link
from homing.strategies.adaptive.names import end_of, names_of_links
from homing.text.embeddings import known


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a.example/wp/r/Richard_I_of_England.htm", "Richard I of England"),
        ("http://a.example/wp/s/Spring_%2528season%2529.htm", "Spring (season)"),
        ("http://a.example/caf%C3%A9", "café"),
        ("http://a.example/2024/05/how-to-plant-nectar/", "how-to-plant-nectar"),
        ("http://a.example/projects/zpl/index.html", "zpl"),
        ("http://a.example/read.php?id=7", "read"),
        ("http://a.example/Home/Index.html", ""),
        ("http://a.example:8080/", ""),
        ("http://a.example", ""),
        ("", ""),
        ("http://a.example/%FF%", "\ufffd%"),
    ],
)
def test_the_end_of_an_address_is_a_name(url: str, name: str) -> None:
    assert end_of(url) == name


def named(*links: Link) -> list[set[int]]:
    rows, counts = names_of_links(links)
    return [set(each.tolist()) for each in np.split(rows, np.cumsum(counts)[:-1])]


def rows_of(text: str) -> set[int]:
    return set(known([text], most=9)[0].tolist())


def test_a_page_is_called_by_anchor_and_address_and_by_what_they_share_once() -> None:
    king, here, nothing = named(
        Link(url="http://a.example/King_of_England", anchor="the king of Norway"),
        Link(url="http://a.example/b7x", anchor="sparrow"),
        Link(url="http://a.example/", anchor="1914"),
    )
    assert king == rows_of("king of England") | rows_of("the king of Norway")
    assert len(king) == 3
    assert here == rows_of("sparrow")
    assert nothing == set()


def test_no_links_have_no_names() -> None:
    rows, counts = names_of_links([])
    assert (len(rows), len(counts)) == (0, 0)
