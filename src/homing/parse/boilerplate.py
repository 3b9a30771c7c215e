"""Boilerplate: menus, footers, banners. The main text, which judges read, is the page without them.

Boilerplate is known by its tags (``nav``, ``footer``, ``aside``) or by its class, id or role.
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
"""Minimum share of a page's characters in its main text; below it, boilerplate is included."""


def is_boilerplate(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element with these attributes is boilerplate.

    >>> [is_boilerplate({"class": name}) for name in ("wide site-footer", "menu", "page")]
    [True, True, False]
    """
    if not attributes:
        return False
    if "hidden" in attributes:
        return True
    return _is_named_boilerplate(
        attributes.get("class") or "", attributes.get("id") or "", attributes.get("role") or ""
    )


@lru_cache(maxsize=4_096)
def _is_named_boilerplate(classes: str, name: str, role: str) -> bool:
    # Pages of one site share their class names: most are in the cache.
    if role.strip().lower() in _ROLES:
        return True
    return any(_NAMES.fullmatch(word) for word in (*classes.split(), name))


def main_text(found: Outline, limit: int) -> str:
    """Return the text without boilerplate, a line for each block; all of it where little else remains."""
    text, starts = found.text, [*found.starts, len(found.text) + 1]
    lines = [
        text[start : end - 1]
        for number, (start, end) in enumerate(pairwise(starts))
        if number not in found.boilerplate
    ]
    if sum(map(len, lines)) < _ENOUGH * len(text):
        lines = text.splitlines()
    return "\n".join(filter(None, map(single_spaced, lines)))[:limit]
