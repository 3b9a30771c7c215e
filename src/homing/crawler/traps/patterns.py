"""The pattern of a URL, and the marks of URLs that no person wrote.

A site that makes up pages as they are asked for spells their URLs by a rule: a number counts up, a folder
is hung into itself, a parameter is added. URLs of one rule have one pattern, by which a crawl can tell what
it got for them.
"""

from __future__ import annotations

import re
from collections import Counter

_TOKEN = re.compile(r"(?=.*\d)[0-9A-Za-z_-]{8,}")
"""A number, a hash, a session: long, and with a digit in it."""
_DIGITS = re.compile(r"\d+")
_MAX_FOLDERS = 20
_MAX_PARAMETERS = 12
_MAX_TIMES = 4
"""So often may a folder or a parameter stand in a URL, wherever it stands."""
_IN_A_ROW = 3
_LONGEST_ROUND = 4
"""Folders after which a path may begin to repeat itself."""
_FEW_SLASHES = 5
"""With no more of them a path cannot go round; most URLs need no closer look."""


def pattern_of(url: str) -> str:
    """A canonical URL with all that varies masked: numbers, tokens, the values of parameters, the last name.

    >>> pattern_of("http://a.org/calendar/2026/12/03"), pattern_of("http://a.org/wiki/Moth")
    ('a.org/calendar/#/#/*', 'a.org/wiki/*')
    >>> pattern_of("http://a.org/shop/item-7?sid=9f86d081&page=2")
    'a.org/shop/item-#?page&sid'
    """
    address, _, query = url.partition("://")[2].partition("?")
    host, *folders, name = address.split("/") if "/" in address else (address, "")
    if query:
        # The name of a script says more than the name of a page.
        names = sorted({part.partition("=")[0] for part in query.split("&")})
        name = f"{_masked(name)}?{'&'.join(map(_masked, names))}"
    elif name:
        name = "*"
    return "/".join([host, *map(_masked, folders), name])


def winding(url: str) -> str:
    """What in a canonical URL goes round in circles; empty if nothing does.

    >>> winding("http://a.org/news/img/news/img/news/img/")
    'repeated folders'
    >>> winding("http://a.org/?sort=up&sort=up"), winding("http://a.org/2011/11/11/11/fun?a=1&b=1")
    ('repeated parameters', '')
    """
    if url.count("/") > _FEW_SLASHES:
        folders = url.partition("://")[2].partition("?")[0].split("/")[1:-1]
        if len(folders) > _MAX_FOLDERS:
            return "too many folders"
        if len(set(folders)) < len(folders) and _goes_round(folders):
            return "repeated folders"
    if "&" in url:
        parameters = url.partition("?")[2].split("&")
        if len(parameters) > _MAX_PARAMETERS:
            return "too many parameters"
        if len(set(parameters)) < len(parameters) or _most_frequent(parameters) > _MAX_TIMES:
            return "repeated parameters"
    return ""


def _most_frequent(parameters: list[str]) -> int:
    """How often the most frequent name occurs among these parameters."""
    if len(parameters) <= _MAX_TIMES:
        return len(parameters)
    return max(Counter(part.partition("=")[0] for part in parameters).values())


def _goes_round(folders: list[str]) -> bool:
    """Whether some folders follow themselves, or come again and again. Years and days may."""
    names = Counter(folder for folder in folders if not folder.isdigit())
    if max(names.values(), default=0) > _MAX_TIMES:
        return True
    for length in range(1, _LONGEST_ROUND + 1):
        for start in range(len(folders) - length * _IN_A_ROW + 1):
            first = folders[start : start + length]
            whole = folders[start : start + length * _IN_A_ROW]
            if whole == first * _IN_A_ROW and not all(map(str.isdigit, first)):
                return True
    return False


def _masked(part: str) -> str:
    return "#" if _TOKEN.fullmatch(part) else _DIGITS.sub("#", part)
