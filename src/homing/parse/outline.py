"""What a walk over an HTML tree finds: the page as one flat text, and its links as spans of that text.

The main text, which judges read, is the page without boilerplate: menus, footers, banners. Boilerplate is
known by its tags (see ``tree``) or by its class, id or role.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

MAX_TEXT = 500_000
"""Characters of text kept of one page: a long novel."""
_ENOUGH = 0.25
"""Minimum share of a page's characters in its main text; below it, boilerplate is included."""


class Anchor(Struct):
    """A link as the tree has it: not joined to the base, no duplicates removed."""

    href: str
    rel: str
    label: str
    """``title`` or ``aria-label``: a name for a link that shows no text."""
    path: str
    under: tuple[str, ...]
    """The headings it stands under, nearest first."""
    start: int
    end: int
    first: int
    """The segment in which its text begins; ``last`` the one in which it ends."""
    last: int
    listing: int = -1
    """The list it is an item of, -1 if none."""
    alt: str = ""


@dataclass(slots=True)
class Listing:
    """A list: its first and last segment, and the list around it."""

    first: int
    last: int
    outer: int


@dataclass(slots=True)
class Outline:
    """What one walk over a page has found, in document order."""

    language: str = ""
    title: str = ""
    base: str = ""
    canonical: str = ""
    metas: list[tuple[str, str]] = field(default_factory=list)
    """Name (or property, or http-equiv) in lower case, and content, of those that have one."""
    headings: list[str] = field(default_factory=list)
    main_heading: str = ""
    alts: list[str] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    text: str = ""
    """All visible text, a line for each segment: a run of text that no block element interrupts."""
    starts: list[int] = field(default_factory=list)
    """Where each segment begins in ``text``."""
    listings: list[Listing] = field(default_factory=list)
    boilerplate: set[int] = field(default_factory=set)
    """The segments that stand in menus, footers and the like."""

    def bounds(self, first: int, last: int) -> tuple[int, int]:
        """Return where the segments from ``first`` to ``last`` begin and end in the text."""
        starts, following = self.starts, last + 1
        end = starts[following] - 1 if following < len(starts) else len(self.text)
        return starts[first] if first > 0 else 0, end

    def main_text(self) -> str:
        """Return the text without boilerplate, a line for each block; all of it where little else remains."""
        lines, length = [], 0
        for number, (start, following) in enumerate(pairwise([*self.starts, len(self.text) + 1])):
            if number not in self.boilerplate:
                lines.append(self.text[start : following - 1])
                length += following - 1 - start
        if length < _ENOUGH * len(self.text):
            lines = self.text.splitlines()
        return "\n".join(filter(None, map(single_spaced, lines)))[:MAX_TEXT]


Place = tuple[int, bool, int, Anchor | None]
"""Where in the page an element stands: its block, whether that is boilerplate, its list (-1 if none) and its
link. A bare tuple, because every block makes one. In what is not visible there is ``None`` instead."""


class FlatText:
    """Writes the text of an outline, segment by segment, and the spans of its links and lists."""

    def __init__(self, outline: Outline) -> None:
        self.length = 0
        self._outline = outline
        self._starts = outline.starts = [0]
        self._pieces: list[str] = []
        self._block = 0
        self._after_break = False

    def write(self, text: str, place: Place) -> None:
        """Append text that stands at a place."""
        block, boilerplate, listing, anchor = place
        if block != self._block:
            if text.isspace():
                return
            self._begin_segment(block, boilerplate, listing)
        elif self._after_break and not text.isspace():
            self._after_break = False
        length = self.length
        self.length = end = length + len(text)
        self._pieces.append(text)
        if anchor is not None:
            segment = len(self._starts) - 1
            if anchor.end < 0:
                anchor.start, anchor.first = length, segment
            anchor.end, anchor.last = end, segment

    def place_image(self, place: Place, anchor: Anchor) -> None:
        """Note an image within a link: without text before it, the link begins here."""
        block, boilerplate, listing, _ = place
        if block != self._block:
            self._begin_segment(block, boilerplate, listing)
        if anchor.end < 0:
            anchor.start = self.length
            anchor.first = anchor.last = len(self._starts) - 1

    def break_line(self) -> None:
        """Note a line break. Two in a row are how pages without ``<p>`` end a paragraph."""
        if self._after_break:
            self.end_block()
        else:
            self._pieces.append(" ")
            self.length += 1
        self._after_break = True

    def end_block(self) -> None:
        """Let the next text begin a segment."""
        self._block = 0

    def finish(self) -> Outline:
        """Complete the outline: its text, and the spans of its lists."""
        outline = self._outline
        outline.text = "".join(self._pieces)
        # A list is as wide as the lists inside it. These come after it: one pass backwards.
        for listing in reversed(outline.listings):
            if listing.outer >= 0 and listing.first >= 0:
                outer = outline.listings[listing.outer]
                outer.last = max(outer.last, listing.last)
                outer.first = listing.first if outer.first < 0 else min(outer.first, listing.first)
        return outline

    def _begin_segment(self, block: int, boilerplate: bool, listing: int) -> None:
        self._block = block
        self._after_break = False
        if self.length > self._starts[-1]:
            self._pieces.append("\n")
            self.length += 1
            self._starts.append(self.length)
        if boilerplate:
            self._outline.boilerplate.add(len(self._starts) - 1)
        if listing >= 0:
            around = self._outline.listings[listing]
            around.last = len(self._starts) - 1
            if around.first < 0:
                around.first = around.last


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


def single_spaced(text: str) -> str:
    """Return the words of a text, one space apart."""
    # Those that are so already take less than half the time, the others hardly longer. Of all white space
    # only the plain space is printable.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())
