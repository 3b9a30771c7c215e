"""What pages are called before they are fetched: by the anchors that lead to them, and by their URLs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from homing.model import Link
from homing.text.embeddings import Rows, known

_MOST = 6
"""Maximum words and names read of an anchor, and of a URL."""
_ANYTHING = frozenset({"index", "default", "home", "main", "welcome"})
"""Names that the first page of any folder may have."""
_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)

Numbers = NDArray[np.int64]


def names_of_links(links: Sequence[Link]) -> tuple[Rows, Numbers]:
    """Return rows of ``text.embeddings`` for what each link calls its page, and how many each link has.

    What anchor and URL have in common counts once.

    >>> rows, counts = names_of_links([Link(url="http://a.example/red_admiral.html", anchor="an admiral")])
    >>> counts.tolist()
    [2]
    """
    rows, counts = known(
        [*(link.anchor for link in links), *(end_of(link.url) for link in links)], most=_MOST
    )
    owners = np.repeat(np.arange(len(counts)) % max(len(links), 1), counts)
    pairs = np.unique(owners << 32 | rows)
    return (pairs & 0xFFFFFFFF).astype(np.uint32), np.bincount(pairs >> 32, minlength=len(links))


def end_of(url: str) -> str:
    """Return the last part of a URL that is a name, as words.

    >>> end_of("http://a.example/wiki/Red%20admiral_(moth).html?page=2")
    'Red admiral (moth)'
    >>> end_of("http://a.example/moths/index.htm"), end_of("http://a.example/")
    ('moths', '')
    """
    path = url.partition("//")[2].partition("?")[0]
    if "%" in path:
        path = unquote(unquote(path))  # some sites escape what was escaped
    for part in reversed(path.split("/")[1:]):
        name = _ENDING.sub("", part)
        if name and name.lower() not in _ANYTHING:
            return name.replace("_", " ")
    return ""
