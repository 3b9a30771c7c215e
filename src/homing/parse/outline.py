"""What a walk over an HTML tree finds: the page as one flat text, and its links as spans of that text."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct


class Anchor(Struct):
    """A link as the tree has it: nothing joined, nothing chosen yet."""

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
    """Name (or property, or http-equiv) in lower case, and content."""
    headings: list[str] = field(default_factory=list)
    main_heading: str = ""
    alts: list[str] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    text: str = ""
    """All that can be seen, a line for each segment: a run of text that no block element interrupts."""
    borders: list[int] = field(default_factory=lambda: [0])
    """Where each segment begins in ``text``."""
    listings: list[Listing] = field(default_factory=list)
    apart: set[int] = field(default_factory=set)
    """The segments that stand in menus, footers and the like."""

    def bounds(self, first: int, last: int) -> tuple[int, int]:
        """Where the segments from ``first`` to ``last`` begin and end in the text, if there are any."""
        borders, following = self.borders, last + 1
        end = borders[following] - 1 if following < len(borders) else len(self.text)
        return borders[first] if first > 0 else 0, end

    def meta(self, name: str) -> str:
        """The content of the first meta element of that name that has one."""
        return next((content for known, content in self.metas if known == name and content), "")


def single_spaced(text: str) -> str:
    """The words of a text, one space apart."""
    # Those that are so already take less than half the time, the others hardly longer. Of all white space
    # only the plain space is printable.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())
