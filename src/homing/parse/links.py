"""The links of a page with their context: anchor, words around it, block, headings.

One link is kept for each target, in the place of the first: the one with the longest anchor, because
the logo and the "more" beside a headline say less than the headline. Links of a page to itself are left
out, and so are all that are not http(s).
"""

from __future__ import annotations

import re

from homing.model import Link
from homing.parse.outline import Anchor, Outline, single_spaced
from homing.urls import canonical, origin

MAX_LINKS = 5_000
"""Distinct targets kept of one page; no page meant for people has more."""

WINDOW = 20
"""Words around a link, the anchor's own among them."""

_REACH = 300
"""Characters read on each side for the window: twenty long words and the spaces of indented source."""
_LONG_WORD = 30
"""Scripts without spaces come as one long word; this much of it, nearest to the link, is its context."""
_MAX_ANCHOR = 500
_MAX_PLAIN = 500
_PLAIN = re.compile(r"(/|(?:\.\./)*+)([A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*+/?)")
"""Where a path starts from, and a path that means itself: no dots but within names, no escapes, no query,
no scheme."""
_MAX_BLOCK = 2_000


def links_of(outline: Outline, url: str) -> tuple[Link, ...]:
    """Return the links of a page at ``url``, joined to its base, in document order.

    >>> from homing.parse.tree import outline
    >>> page = outline("<h1>Moths</h1><p>See <a href=/m#x><img alt=Hawks></a> and <a href=/m>hawk moths</a>")
    >>> [(link.url, link.anchor, link.around) for link in links_of(page, "http://a.org/")]
    [('http://a.org/m', 'hawk moths', 'Moths See and hawk moths')]
    """
    main = outline.main_heading or outline.title
    blocks = _Blocks(outline)
    return tuple(
        Link(
            url=target,
            anchor=words,
            around=_around(words, anchor, outline),
            block=blocks.of(anchor),
            headings=anchor.under if not main or main in anchor.under else (*anchor.under, main),
            path=anchor.path,
            rel=anchor.rel,
            place=place,
        )
        for place, (target, (words, anchor)) in enumerate(_best_by_target(outline, url).items())
    )


def _best_by_target(outline: Outline, url: str) -> dict[str, tuple[str, Anchor]]:
    """Return every URL linked to, with the anchor text and place of its best link."""
    base = canonical(outline.base, url) or url if outline.base else url
    join = _Joined(base)
    itself = canonical(url)
    best: dict[str, tuple[str, Anchor]] = {}
    for anchor in outline.anchors:
        target = join[anchor.href]
        if target is None or target == itself:
            continue
        words = _words_of(anchor, outline.text)
        known = best.get(target)
        if (len(best) < MAX_LINKS) if known is None else (len(words) > len(known[0])):
            best[target] = words, anchor
    return best


class _Joined(dict[str, str | None]):
    """Each ``href`` of a page joined to its base, once.

    Most are plain: letters, digits, dots within names. Those need no URL parser, only the folder of the
    base that they are relative to: less than half the time.
    """

    def __init__(self, base: str) -> None:
        super().__init__()
        self._base = base
        self._folders: list[str] = []
        if whole := canonical(base):
            root = origin(whole) + "/"
            folder = whole.partition("?")[0].rpartition("/")[0] + "/"
            while len(folder) > len(root):
                self._folders.append(folder)
                folder = folder[:-1].rpartition("/")[0] + "/"
            self._folders.append(root)

    def __missing__(self, href: str) -> str | None:
        target: str | None
        if self._folders and len(href) < _MAX_PLAIN and (match := _PLAIN.fullmatch(href)):
            start, path = match.groups()
            climb = len(self._folders) - 1 if start == "/" else len(start) // len("../")
            target = self._folders[min(climb, len(self._folders) - 1)] + path
        else:
            target = canonical(href, self._base)
        self[href] = target
        return target


def _words_of(anchor: Anchor, text: str) -> str:
    """Return the text of a link; else its image's alternative text, else its title."""
    words = single_spaced(text[anchor.start : anchor.end]) if anchor.end > 0 else ""
    return (words or anchor.alt or anchor.label)[:_MAX_ANCHOR].rstrip()


def _around(words: str, anchor: Anchor, outline: Outline) -> str:
    """Return twenty words: an equal share on each side, refilled from the other side where one ends.

    At most one block border is crossed on each side, or the items of a menu would share their context.
    """
    own = [words] if words else []
    share = (WINDOW - words.count(" ") - len(own)) // 2
    if share <= 0:
        return " ".join(words.split(" ", WINDOW)[:WINDOW])
    begin, finish = outline.bounds(anchor.first - 1, anchor.last + 1)
    start = anchor.start
    end = anchor.end if anchor.end > start else start
    nearest, furthest = start - _REACH, end + _REACH
    left = outline.text[nearest if nearest > begin else begin : start]
    right = outline.text[end : furthest if furthest < finish else finish]
    before, after = left.rsplit(None, share)[-share:], right.split(None, share)[:share]
    if len(after) < share:
        wanted = 2 * share - len(after)
        before = left.rsplit(None, wanted)[-wanted:]
    elif len(before) < share:
        wanted = 2 * share - len(before)
        after = right.split(None, wanted)[:wanted]
    window = " ".join([*before, *own, *after])
    if len(window) > _REACH:
        before = [word[-_LONG_WORD:] for word in before]
        after = [word[:_LONG_WORD] for word in after]
        window = " ".join([*before, *own, *after])
    return window


class _Blocks:
    """The paragraph of each link, or its whole list; the part nearest to the link where that is very long.

    The links of one block share one string: a menu of hundreds is stored once.
    """

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._known: dict[tuple[int, int], str] = {}

    def of(self, anchor: Anchor) -> str:
        first, last = anchor.first, anchor.last
        if anchor.listing >= 0:
            listing = self._outline.listings[anchor.listing]
            if listing.first >= 0:
                first, last = min(first, listing.first), max(last, listing.last)
        begin, end = self._outline.bounds(first, last)
        if end - begin > _MAX_BLOCK:
            begin = max(begin, min(anchor.start - _MAX_BLOCK // 2, end - _MAX_BLOCK))
            end = begin + _MAX_BLOCK
        block = self._known.get((begin, end))
        if block is None:
            block = self._known[begin, end] = single_spaced(self._outline.text[begin:end])
        return block
