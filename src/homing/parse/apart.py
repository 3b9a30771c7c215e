"""What stands on a page but does not belong to what it says: menus, footers, banners.

A page says so itself, by its tags (``nav``, ``footer``, ``aside``) or by the names that its makers gave to
the other parts. The text without these is what judges read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from homing.parse.outline import Outline, single_spaced

_ROLES = frozenset({"banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search"})
_SIDES = "main|site|top|bottom|left|right|header|footer|global|page|primary|secondary|side|sub|mobile|user"
_NAMES = re.compile(
    rf"(?:(?:{_SIDES})[-_]?)?"
    r"(?:nav|navbar|navbox|navigation|menu|footer|sidebar|sidenav|topbar|toolbar|breadcrumbs?|crumbs|"
    r"pagination|pager|skip-?links?|cookie(?:-?banner|-?notice)?s?|consent|banner|ads?|advert\w*|sponsor\w*|promo\w*|newsletter|"
    r"social|share|sharing|login|search[-_]?(?:form|box)?|copyright|legal|catlinks|printfooter)"
    r"(?:[-_]?(?:area|bar|block|box|container|content|inner|items?|links?|list|menu|nav|row|section|wrapper))?",
    re.IGNORECASE,
)
_ENOUGH = 0.25
"""Less than this share of a page's letters is not what the page says: then all of it is taken."""


def is_apart(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element with these attributes says that it is apart.

    >>> is_apart({"class": "wide site-footer"}), is_apart({"role": "navigation"}), is_apart({"class": "page"})
    (True, True, False)
    """
    if not attributes:
        return False
    if "hidden" in attributes:
        return True
    return _says_apart(
        attributes.get("class") or "", attributes.get("id") or "", attributes.get("role") or ""
    )


@lru_cache(maxsize=4_096)
def _says_apart(classes: str, name: str, role: str) -> bool:
    """The pages of one site give their parts the same names, so that most have been asked before."""
    if role.strip().lower() in _ROLES:
        return True
    return any(_NAMES.fullmatch(word) for word in (*classes.split(), name))


def main_text(found: Outline, limit: int) -> str:
    """What the page says without what stands apart, a line for each block.

    Where that is nearly nothing, all of it.
    """
    text, borders = found.text, [*found.borders, len(found.text) + 1]
    lines = [
        text[start : end - 1]
        for number, (start, end) in enumerate(pairwise(borders))
        if number not in found.apart
    ]
    if sum(map(len, lines)) < _ENOUGH * len(text):
        lines = text.splitlines()
    return "\n".join(filter(None, map(single_spaced, lines)))[:limit]
