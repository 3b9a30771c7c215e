"""Robots directives of a page (noindex, nofollow): ``<meta name="robots">`` and the ``X-Robots-Tag`` header.

Both may address all robots or one. Directives for us add to those for all: the stricter one holds.
"""

from __future__ import annotations

from collections.abc import Iterable

_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_BOTH = frozenset({"noindex", "nofollow"})


def directives(metas: Iterable[tuple[str, str]], product: str) -> frozenset[str]:
    """Return the directives of meta elements, given as (name, content), for a robot of that product token.

    >>> sorted(directives([("robots", "NOINDEX, noarchive"), ("otherbot", "nofollow")], "homing"))
    ['noarchive', 'noindex']
    """
    names = {"robots", product.lower()}
    return _all(word for name, content in metas if name in names for word in content.split(","))


def header_directives(values: Iterable[str], product: str) -> frozenset[str]:
    """Return those of ``X-Robots-Tag`` headers, where a name before a colon says which robot is addressed.

    >>> sorted(header_directives(["otherbot: noindex, noarchive", "homing: none"], "homing"))
    ['nofollow', 'noindex', 'none']
    """
    words: list[str] = []
    for value in values:
        ours = True
        for part in value.split(","):
            name, colon, rest = part.partition(":")
            name = name.strip().lower()
            if colon and name not in _WITH_VALUE:
                ours = name in {product.lower(), "robots", "*"}
                part = rest
            if ours:
                words.append(part)
    return _all(words)


def _all(words: Iterable[str]) -> frozenset[str]:
    found = frozenset(word.strip().lower() for word in words)
    return found | _BOTH if "none" in found else found
