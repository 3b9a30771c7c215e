"""Links of recorded pages: those within the recording, and other names by which pages are linked.

URLs are stored as 64-bit keys: a hundred thousand pages have ten million links, which would not fit into
memory as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from homing.urls import key

Integers = NDArray[np.int64]

_INDEX = ("index.html", "index.htm")


class Onward:
    """The links of each page, collected until all pages are known."""

    def __init__(self) -> None:
        self._keys: dict[int, Integers] = {}

    def add(self, number: int, keys: Integers) -> None:
        """Add the links of a page, by the keys of their URLs."""
        self._keys[number] = keys

    def within(self, numbers: Mapping[str, int]) -> tuple[Integers, Integers, int]:
        """Return the links between recorded URLs as (from, to) numbers; count those that lead elsewhere.

        Parameters
        ----------
        numbers
            Number of each recorded URL.
        """
        sources, wanted = self._all()
        keys = np.fromiter(map(key, numbers), np.int64, len(numbers))
        order = np.argsort(keys)
        place = np.minimum(np.searchsorted(keys, wanted, sorter=order), max(len(keys) - 1, 0))
        found = keys[order][place] == wanted if len(keys) else np.zeros(len(wanted), bool)
        targets = np.fromiter(numbers.values(), np.int64, len(numbers))[order[place[found]]]
        return sources[found], targets, int((~found).sum())

    def other_names(self, numbers: Mapping[str, int]) -> Iterator[tuple[str, str]]:
        """Return linked URLs that were not recorded, but that any server would redirect to one that was.

        Pairs of the linked and the recorded URL, in the order in which they were first linked.
        """
        names = dict.fromkeys(name for url in numbers for name in _guesses(url) if name not in numbers)
        keys = np.fromiter(map(key, names), np.int64, len(names))
        wanted, first = np.unique(self._all()[1], return_index=True)
        linked = np.isin(keys, wanted)
        places = first[np.searchsorted(wanted, keys[linked])].tolist()
        names_linked = (name for name, is_linked in zip(names, linked.tolist(), strict=True) if is_linked)
        for _, name in sorted(zip(places, names_linked, strict=True)):
            known = [other for other in _other_names(name) if other in numbers]
            if known:
                yield name, known[0]

    def _all(self) -> tuple[Integers, Integers]:
        """Return every link as (number of the page, key of the URL), sorted by number."""
        numbers = sorted(self._keys)
        keys = [self._keys[number] for number in numbers]
        sources = np.repeat(np.array(numbers, np.int64), [len(each) for each in keys])
        return sources, np.concatenate([np.empty(0, np.int64), *keys])


def _guesses(url: str) -> Iterator[str]:
    """Return every URL of which this may be another name."""
    yield from _other_names(url)
    yield from (f"{url}/{name}" for name in ("", *_INDEX))


def _other_names(url: str) -> Iterator[str]:
    """Yield other names of a page on most servers: its folder, or the index page of that.

    >>> list(_other_names("http://a.example/~ann"))
    ['http://a.example/~ann/', 'http://a.example/~ann/index.html', 'http://a.example/~ann/index.htm']
    >>> list(_other_names("http://a.example/~ann/index.html"))
    ['http://a.example/~ann/', 'http://a.example/~ann']
    """
    folder, _, name = url.rpartition("/")
    if "?" in url:
        return
    if name in _INDEX:
        yield from (f"{folder}/", folder)
    elif not name:
        yield folder
        yield from (f"{url}{index}" for index in _INDEX)
    else:
        yield f"{url}/"
        yield from (f"{url}/{index}" for index in _INDEX)
