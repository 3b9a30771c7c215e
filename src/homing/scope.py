"""Which URLs a crawl may fetch at all, whatever their priority."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from homing.urls import host, site

Within = Literal["any", "domain", "host", "prefix"]

BINARY = frozenset(
    """
    7z aac apk avi bin bmp bz2 class css deb dll dmg doc docx eot eps exe flac flv gif gz ico iso
    jar jpeg jpg js m4a m4v mid mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf png ppt pptx
    ps psd rar rpm rtf svg swf tar tgz tif tiff ttf wav webm webp wma wmv woff woff2 xls xlsx xz
    zip zst
    """.split()
)
"""File name extensions that are not fetched."""


class Scope:
    """The limits of a crawl on URLs: domains, patterns, blocked hosts, depth.

    Parameters
    ----------
    within
        ``any`` follows links anywhere; ``domain``, ``host`` and ``prefix`` stay in the registered domains,
        the hosts, or below the folders of the seeds.
    include, exclude
        Globs over the whole URL: ``*`` is any run of characters, ``?`` any one. A URL must match one of
        ``include`` (if there are any) and none of ``exclude``.
    block
        Hosts (``ads.example``, with all their subdomains) or globs of URLs that are never fetched.
    max_depth
        Maximum number of links from a seed to a page.

    Examples
    --------
    >>> scope = Scope(within="host", exclude=["*/login*"])
    >>> scope.root("https://example.org/start")
    >>> scope.refusal("https://example.org/a", 1), scope.refusal("https://example.org/login?x", 1)
    ('', 'exclude */login*')
    """

    def __init__(
        self,
        *,
        within: Within = "any",
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        block: Iterable[str] = (),
        max_depth: int | None = None,
    ) -> None:
        self.within = within
        self.max_depth = max_depth
        self._include = [Glob(pattern) for pattern in include]
        self._exclude = [Glob(pattern) for pattern in exclude]
        self._block: list[Glob] = []
        self._blocked_hosts: set[str] = set()
        self._roots: set[str] = set()
        for pattern in block:
            self.block(pattern)

    def root(self, url: str) -> None:
        """Add a seed, or the target of its redirect, to the scope."""
        self._roots.add(self._root_of(url))

    def block(self, pattern: str) -> None:
        """Exclude a host, or all URLs that match a glob."""
        if is_glob(pattern):
            self._block.append(Glob(pattern))
        else:
            self._blocked_hosts.add(pattern.lower())

    def unblock(self, pattern: str) -> None:
        """Lift a block, as it was given."""
        self._block = [glob for glob in self._block if glob.pattern != pattern]
        self._blocked_hosts.discard(pattern.lower())

    def refusal(self, url: str, depth: int) -> str:
        """Return why the URL is refused; empty if it is in scope."""
        if self.max_depth is not None and depth > self.max_depth:
            return f"deeper than {self.max_depth}"
        if extension(url) in BINARY:
            return f"a .{extension(url)} file"
        if self.within != "any" and not self._inside(url):
            return f"outside the {self.within} of the seeds"
        if blocked := self.blocked(url):
            return blocked
        for glob in self._exclude:
            if glob.matches(url):
                return f"exclude {glob.pattern}"
        if self._include and not any(glob.matches(url) for glob in self._include):
            return "matches no include"
        return ""

    def blocked(self, url: str) -> str:
        """Return which block refuses the URL; empty if none. Blocks hold for seeds too."""
        if self._blocked_hosts and any(name in self._blocked_hosts for name in _with_parents(host(url))):
            return f"blocked host {host(url)}"
        for glob in self._block:
            if glob.matches(url):
                return f"block {glob.pattern}"
        return ""

    def _inside(self, url: str) -> bool:
        if self.within == "prefix":
            return any(url.startswith(root) for root in self._roots)
        return self._root_of(url) in self._roots

    def _root_of(self, url: str) -> str:
        match self.within:
            case "domain":
                return site(host(url))
            case "host":
                return host(url)
            case _:
                return url[: url.rfind("/") + 1]


def is_glob(pattern: str) -> bool:
    """Return whether a block is a glob of URLs, rather than a host."""
    return any(character in pattern for character in "/*?")


class Glob:
    """A pattern with ``*`` and ``?``, matched against a whole text in linear time.

    Runs of stars are one star, and between two stars the first place that fits is the right one, so no
    text, however hostile, makes it go back further than to the last star.

    >>> Glob("*/news/*.html").matches("https://example.org/news/a/b.html")
    True
    >>> Glob("a*a*a*b").matches("a" * 50_000 + "!")
    False
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        pieces = re.split(r"\*+", pattern)
        self._head, self._tail = pieces[0], pieces[-1]
        self._middle = [re.compile(_piece(piece), re.DOTALL) for piece in pieces[1:-1]]
        self._exact = len(pieces) == 1

    def matches(self, text: str) -> bool:
        if self._exact:
            return len(text) == len(self._head) and _fits(self._head, text, 0)
        start, end = len(self._head), len(text) - len(self._tail)
        if end < start or not _fits(self._head, text, 0) or not _fits(self._tail, text, end):
            return False
        for piece in self._middle:
            found = piece.search(text, start, end)
            if not found:
                return False
            start = found.end()
        return True


def extension(url: str) -> str:
    """Return the file name extension of a URL's path in lower case; empty if it has none.

    >>> extension("https://example.org/a/Photo.JPG?size=2"), extension("https://example.com")
    ('jpg', '')
    """
    path = url.partition("://")[2].partition("/")[2].partition("?")[0]
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _piece(piece: str) -> str:
    return "".join("." if letter == "?" else re.escape(letter) for letter in piece)


def _fits(piece: str, text: str, at: int) -> bool:
    if "?" not in piece:
        return text.startswith(piece, at)
    return all(mine in ("?", theirs) for mine, theirs in zip(piece, text[at : at + len(piece)], strict=True))


def _with_parents(name: str) -> list[str]:
    """Return a host and the domains above it: a.b.c, b.c, c."""
    parts = name.split(".")
    return [".".join(parts[index:]) for index in range(len(parts))]
