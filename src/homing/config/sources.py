"""Sources of pages as people name them: a file, a folder, or a page on the web."""

from __future__ import annotations

import re
from pathlib import Path

from homing import urls

_STEM = re.compile(r"[^/]+?(?=(?:\.\w{1,6})*/*$)")


def is_address(source: str) -> bool:
    """Whether a source is a page on the web rather than a file or a folder.

    >>> is_address("HTTPS://a.example/"), is_address("pages/moths.html")
    (True, False)
    """
    return "://" in source


def check_source(source: str) -> None:
    """Complain, as ``ValueError``, about a text that names neither a path nor a page."""
    if not source.strip():
        raise ValueError("must be a file, a folder or an http(s) URL, not an empty text")
    check_path(source)
    if is_address(source) and urls.canonical(source) is None:
        raise ValueError(f'"{source}" is no valid http(s) URL')


def check_path(path: str) -> str:
    """The path again, if a file can have that name at all; an empty one is none."""
    if "\x00" in path:
        raise ValueError("must be the name of a file, and no name has a zero byte in it")
    return path


def located(source: str, folder: Path) -> str:
    """The same source, whatever folder is asked from later: a path in ``folder`` is written out."""
    return source if not source or is_address(source) else str((folder / source).absolute())


def stem_of(source: str) -> str:
    """What a source is about, as far as its name tells: the last part of a path, or the host of a URL.

    >>> stem_of("https://a.example/"), stem_of("pages/moths.tar.gz"), stem_of("my-pages/")
    ('a.example', 'moths', 'my-pages')
    """
    path = source.partition("://")[2].partition("?")[0] if is_address(source) else source
    authority, _, rest = path.partition("/")
    if is_address(source) and not rest.strip("/"):
        return authority
    found = _STEM.search(path)
    return found[0] if found else ""
