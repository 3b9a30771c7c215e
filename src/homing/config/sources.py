"""Sources of pages: a file, a folder, or a URL."""

from __future__ import annotations

import re
from pathlib import Path

from homing import urls

_STEM = re.compile(r"[^/]+?(?=(?:\.\w{1,6})*/*$)")


def is_address(source: str) -> bool:
    """Return whether a source is a URL rather than a file or a folder.

    >>> is_address("HTTPS://a.example/"), is_address("pages/moths.html")
    (True, False)
    """
    return "://" in source


def check_source(source: str) -> None:
    """Raise ``ValueError`` for a text that is neither a path nor a URL."""
    if not source.strip():
        raise ValueError("must be a file, a folder or an http(s) URL, not an empty text")
    check_path(source)
    if is_address(source) and urls.canonical(source) is None:
        raise ValueError(f'"{source}" is no valid http(s) URL')


def check_path(path: str) -> str:
    """Return the path if a file can have that name; an empty one stands for none."""
    if "\x00" in path:
        raise ValueError("must be the name of a file, without a zero byte")
    return path


def located(source: str, folder: Path) -> str:
    """Return a source that does not depend on the working directory: a path is resolved from ``folder``."""
    return source if not source or is_address(source) else str((folder / source).absolute())


def stem_of(source: str) -> str:
    """Return the name of a source without its ending: the last part of a path, or the host of a URL.

    >>> stem_of("https://a.example/"), stem_of("pages/moths.tar.gz"), stem_of("my-pages/")
    ('a.example', 'moths', 'my-pages')
    """
    path = source.partition("://")[2].partition("?")[0] if is_address(source) else source
    authority, _, rest = path.partition("/")
    if is_address(source) and not rest.strip("/"):
        return authority
    found = _STEM.search(path)
    return found[0] if found else ""
