"""The links of a page with their context: anchor, words around it, block, headings.

One link is kept for each target, in the place of the first: the one with the longest anchor, because
the logo and the "more" beside a headline say less than the headline. Links of a page to itself are left
out, and so are all that are not http(s).
"""

from __future__ import annotations

import re
from itertools import chain

from homing.model import Link
from homing.parse.outline import Anchor, Outline, single_spaced
from homing.urls import canonical, origin

MAX_LINKS = 5_000
"""Distinct targets kept of one page; no page meant for people has more."""

WINDOW = 20
"""Maximum words around a link, those of its anchor among them."""

_REACH = 300
"""Characters read on each side for the window: twenty long words and the spaces of indented source."""
_LONG_WORD = 30
"""Characters kept of a long word, those nearest to the link: a script without spaces is one such word."""
_MAX_ANCHOR = 500
_MAX_PLAIN = 500
_PLAIN = re.compile(r"(/|(?:\.\./)*+)([A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*+/?)")
"""A relative URL that needs no parser, as its start and its path: dots only within names, no escapes, no
query, no scheme."""
_MAX_BLOCK = 2_000


def links_of(outline: Outline, url: str) -> tuple[Link, ...]:
    """Return the links of a page at ``url``, joined to its base, in document order.

    >>> from homing.parse.tree import outline
    >>> page = outline("<h1>Moths</h1><p>See <a href=/m#x><img alt=Hawks></a> and <a href=/m>hawk moths</a>")
    >>> [(link.url, link.anchor, link.around) for link in links_of(page, "http://a.org/")]
    [('http://a.org/m', 'hawk moths', 'Moths See and hawk moths')]
    """
    main = outline.main_heading or outline.title
    blocks: dict[tuple[int, int], str] = {}
    links: list[Link] = []
    for place, (target, (words, anchor)) in enumerate(_best_by_target(outline, url).items()):
        link = Link(
            url=target,
            anchor=words,
            around=_around(words, anchor, outline),
            block=_block(anchor, outline, blocks),
            headings=anchor.under if not main or main in anchor.under else (*anchor.under, main),
            path=anchor.path,
            rel=anchor.rel,
            place=place,
        )
        links.append(link)
    return tuple(links)


def _best_by_target(outline: Outline, url: str) -> dict[str, tuple[str, Anchor]]:
    """Return every URL linked to, with its best link and that one's anchor text.

    That is the text of the link, else the alternative text of its image, else its title.
    """
    itself = canonical(url)
    base = canonical(outline.base, url) if outline.base else None
    join = _Joined(base or url, base or itself)
    best: dict[str, tuple[str, Anchor]] = {}
    for anchor in outline.anchors:
        target = join[anchor.href]
        if target is None or target == itself:
            continue
        words = single_spaced(outline.text[anchor.start : max(anchor.end, 0)])
        words = (words or anchor.alt or anchor.label)[:_MAX_ANCHOR].rstrip()
        known = best.get(target)
        if (len(best) < MAX_LINKS) if known is None else (len(words) > len(known[0])):
            best[target] = words, anchor
    return best


class _Joined(dict[str, str | None]):
    """Each ``href`` of a page joined to its base, once. ``whole`` is the canonical form of the base, if any.

    Most are plain: letters, digits, dots within names. Those need no URL parser, only the folder of the
    base that they are relative to: less than half the time.
    """

    def __init__(self, base: str, whole: str | None) -> None:
        super().__init__()
        self._base = base
        self._folders: list[str] = []
        if whole:
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
    return window if len(window) <= _REACH else _of_short_words(before, own, after)


def _of_short_words(before: list[str], own: list[str], after: list[str]) -> str:
    nearest = [word[-_LONG_WORD:] for word in before], own, [word[:_LONG_WORD] for word in after]
    return " ".join(chain.from_iterable(nearest))


def _block(anchor: Anchor, outline: Outline, known: dict[tuple[int, int], str]) -> str:
    """Return the paragraph of a link, or its whole list; of a very long one, the part nearest to the link.

    The links of one block share one string: a menu of hundreds is stored once.
    """
    first, last = anchor.first, anchor.last
    if anchor.listing >= 0:
        listing = outline.listings[anchor.listing]
        if listing.first >= 0:
            first, last = min(first, listing.first), max(last, listing.last)
    begin, end = outline.bounds(first, last)
    if end - begin > _MAX_BLOCK:
        begin = max(begin, min(anchor.start - _MAX_BLOCK // 2, end - _MAX_BLOCK))
        end = begin + _MAX_BLOCK
    block = known.get((begin, end))
    if block is None:
        block = known[begin, end] = single_spaced(outline.text[begin:end])
    return block
