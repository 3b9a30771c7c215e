"""What a walk over an HTML tree finds: the page as one flat text, and its links as spans of that text."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct


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
    """Name (or property, or http-equiv) in lower case, and content."""
    headings: list[str] = field(default_factory=list)
    main_heading: str = ""
    alts: list[str] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    text: str = ""
    """All visible text, a line for each segment: a run of text that no block element interrupts."""
    starts: list[int] = field(default_factory=lambda: [0])
    """Where each segment begins in ``text``."""
    listings: list[Listing] = field(default_factory=list)
    boilerplate: set[int] = field(default_factory=set)
    """The segments that stand in menus, footers and the like."""

    def bounds(self, first: int, last: int) -> tuple[int, int]:
        """Return where the segments from ``first`` to ``last`` begin and end in the text."""
        starts, following = self.starts, last + 1
        end = starts[following] - 1 if following < len(starts) else len(self.text)
        return starts[first] if first > 0 else 0, end

    def meta(self, name: str) -> str:
        """Return the content of the first meta element of that name that has one."""
        return next((content for known, content in self.metas if known == name and content), "")


Place = tuple[int, bool, int, Anchor | None]
"""Where in the page an element stands: its block, whether that is boilerplate, its list (-1 if none) and its
link. A bare tuple, because every block makes one. In what is not visible there is ``None`` instead."""


class FlatText:
    """Writes the text of an outline, segment by segment, and the spans of its links and lists."""

    def __init__(self, outline: Outline) -> None:
        self.length = 0
        self._outline = outline
        self._starts = outline.starts
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

    def finish(self) -> None:
        """Complete the outline: its text, and the spans of its lists."""
        self._outline.text = "".join(self._pieces)
        self._close_listings()

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

    def _close_listings(self) -> None:
        """Widen each list to the lists inside it. Inner ones come after outer ones: one pass backwards."""
        listings = self._outline.listings
        for listing in reversed(listings):
            if listing.outer >= 0 and listing.first >= 0:
                outer = listings[listing.outer]
                outer.last = max(outer.last, listing.last)
                outer.first = listing.first if outer.first < 0 else min(outer.first, listing.first)


def single_spaced(text: str) -> str:
    """Return the words of a text, one space apart."""
    # Those that are so already take less than half the time, the others hardly longer. Of all white space
    # only the plain space is printable.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())
