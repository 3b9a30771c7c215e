"""Backlinks from a list of links, and browsing sessions, read from files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from homing.errors import UsageError
from homing.urls import canonical


class EdgeList:
    """``ports.Backlinks`` over pairs of URLs, from and to.

    >>> EdgeList([("http://a.example/", "http://b.example/")]).parents("http://b.example/")
    ['http://a.example/']
    """

    def __init__(self, edges: Iterable[tuple[str, str]]) -> None:
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for source, target in edges:
            if source != target:
                found[target][source] = None
        self._parents = {url: list(parents) for url, parents in found.items()}

    def parents(self, url: str) -> Sequence[str]:
        return self._parents.get(url, [])


def read_edges(path: Path) -> Iterator[tuple[str, str]]:
    """Read two URLs a line, from and to, separated by white space; ``#`` begins a comment."""
    for number, urls in _url_lines(path):
        if len(urls) != 2:
            raise UsageError(f"{path}, line {number}: two URLs are wanted, from and to, not {len(urls)}")
        yield urls[0], urls[1]


def read_sessions(path: Path) -> list[tuple[str, ...]]:
    """Read browsing sessions: a line each, its URLs in order, separated by white space."""
    sessions = [tuple(urls) for _, urls in _url_lines(path)]
    if not any(len(urls) > 1 for urls in sessions):
        raise UsageError(
            f"{path} has no session of two pages or more: give one a line, URLs parted by spaces"
        )
    return sessions


def _url_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                words = line.partition(" #")[0].split() if not line.startswith("#") else []
                urls = [canonical(word) for word in words]
                if None in urls:
                    raise UsageError(f'{path}, line {number}: "{words[urls.index(None)]}" is no http(s) URL')
                if urls:
                    yield number, [url for url in urls if url]
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text file") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
