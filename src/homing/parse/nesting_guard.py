"""Bound the work of the HTML parser: rewrite markup whose nesting would take it too long.

A parser that follows the standard can be made to work very hard. Three ways are known to hurt lexbor, and
each has its bound here:

- *Depth.* Every block element looks through all open elements for a ``<p>`` to close: 80,000 nested tags of
  400 kB took 10 s.
- *Formatting.* A ``<b>`` left open is opened again in every following block, so that n open ones and m blocks
  make n * m elements: 5,000 tags can become 6 million.
- *Attributes.* Each is compared with all before it: a tag with a million of them takes hours.

Almost all pages are too small for any of it, and ``tree`` does not send them here. Of the others, those that
a closer look shows to be harmless stay as they are. The rest is read token by token and rewritten: without
formatting tags, comments and scripts (which are not read anyway), with a bounded depth and number of tags.
Links inside of what is too deep are kept, only their surroundings become flat.
"""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import islice

from homing.parse.tag_grammar import ATTRIBUTE, MANY_ATTRIBUTES, TOKEN

MAX_DEPTH = 256
"""Open elements. Browsers stop at 512; pages made by people stay below 100."""
MAX_TAGS = 100_000
"""Tags written of one page; after that only links, and at most as many again."""
MAX_TOKENS = 500_000
"""Tags, comments and scripts read of one page: about half a second."""

FEW_TAGS, FEW_CHARACTERS = 1_000, 32_768
"""Tags and characters of a page that is harmless whatever it holds."""
_MANY_TAGS = 10_000
_MAX_REOPENED = 1_000_000
"""Maximum elements that formatting tags may become, by the product of both counts."""
_MAX_MARKUP = 4_096
"""Characters of a tag beyond which its attributes are counted."""
_MAX_ATTRIBUTES = 64
_LOOK_BACK = 64
"""Open elements among which the one to close is looked for; further away it stays open."""
_LONG_RUN = 300
"""Repetitions of one tag in a row that no real page has."""
_RUN = re.compile(rf"(</?[a-zA-Z]{{1,20}}>)(?:\s*+\1){{{_LONG_RUN},}}+")

_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG = re.compile(rf"<(?:{'|'.join(sorted(_FORMATTING))})[\s/>]", re.IGNORECASE)
_DROPPED = _FORMATTING | {"script", "style", "noframes", "noembed", "xmp", "plaintext", "selectedcontent"}
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track "
    "wbr".split()
)
_LINKS = frozenset({"a", "area", "frame"})
_SPECIAL = frozenset(
    "address applet article aside blockquote body button caption center colgroup dd details dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li "
    "listing main marquee menu nav noscript object ol p pre search section select summary table tbody td "
    "template textarea tfoot th thead title tr ul".split()
)
_SCOPES = frozenset({"applet", "caption", "html", "marquee", "object", "table", "td", "template", "th"})
_ITEM_SCOPES = _SPECIAL - {"address", "div", "p"}
_TABLE_SCOPES = frozenset({"html", "table", "template"})

# A start tag that ends an open element of the first set, unless one of the second set stands between.
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "p": (frozenset({"p"}), _SCOPES | {"button"}),
    "li": (frozenset({"li"}), _ITEM_SCOPES - {"li"}),
    **dict.fromkeys(("dd", "dt"), (frozenset({"dd", "dt"}), _ITEM_SCOPES - {"dd", "dt"})),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), _TABLE_SCOPES)),
    "tr": (frozenset({"tr"}), _TABLE_SCOPES),
    **dict.fromkeys(("tbody", "thead", "tfoot"), (frozenset({"tbody", "thead", "tfoot"}), _TABLE_SCOPES)),
    "option": (frozenset({"option"}), _SPECIAL),
}


def simplify(html: str) -> str:
    """Return the page itself if it is harmless, else a simpler one with the same text and links.

    >>> simplify("<p>A <b>page</b>")
    '<p>A <b>page</b>'
    >>> deep = simplify("<div>" * 100_000 + "<a href=x>link</a>")
    >>> deep.count("<div>"), deep[-18:]
    (256, '<a href=x>link</a>')
    """
    tags = html.count("<")
    if (
        tags <= _MANY_TAGS
        and (tags <= FEW_TAGS or len(_FORMATTING_TAG.findall(html)) * tags <= _MAX_REOPENED)
        and not MANY_ATTRIBUTES.search(html)
    ):
        return html
    if tags > MAX_TOKENS:
        html = _RUN.sub(lambda run: run[1] * _LONG_RUN, html)
        # A "<" that begins no tag takes time, too: ten million of them two seconds.
        html = html[: len(html) * 4 * MAX_TOKENS // max(html.count("<"), 4 * MAX_TOKENS)]
    return _Rewrite().of(html)


class _Rewrite:
    """A page rewritten from its tokens, with the nesting that a parser will see kept in a stack."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._out: list[str] = []
        self._tags = 0

    def of(self, html: str) -> str:
        read = 0
        out = self._out
        for number, match in enumerate(TOKEN.finditer(html)):
            if number >= MAX_TOKENS:
                return "".join(out)
            start, end = match.span()
            if start > read:
                out.append(html[read:start])
            read = end
            slash, name, attributes = match.group("slash", "name", "attributes")
            if name is None:
                self._raw(*match.group("raw", "raw_attributes", "content"))
            elif (name := name.lower()) in _DROPPED:
                out.append(" ")
            elif slash:
                self._close(name)
            else:
                self._start(name, attributes)
        out.append(html[read:])
        return "".join(out)

    def _raw(self, name: str | None, attributes: str, content: str | None) -> None:
        """Write an element that holds no markup: a frame has an address, a title has words."""
        if name is None or (name := name.lower()) in _DROPPED:
            return
        words = "" if name == "iframe" or content is None else content.replace("<", " ")
        self._write(f"<{name}{_fewer(attributes)}>{words}</{name}>")

    def _start(self, name: str, attributes: str) -> None:
        if name in _ENDS:
            self._end_open(*_ENDS[name])
        if name != "a" and name not in _VOID:
            self._open.append(name)
            if len(self._open) > MAX_DEPTH:
                return
        self._write(f"<{name}{_fewer(attributes)}>", is_link=name in _LINKS)

    def _close(self, name: str) -> None:
        if name == "a":
            self._write("</a>", is_link=True)
            return
        ended = self._end_open({name}, _SCOPES if name in _SPECIAL else _SPECIAL)
        if ended and len(self._open) < MAX_DEPTH:
            self._write(f"</{name}>")

    def _end_open(self, names: Set[str], stops: frozenset[str]) -> bool:
        """Take the nearest open element of these names from the stack, with all above it."""
        stack = self._open
        for place in range(len(stack) - 1, max(-1, len(stack) - 1 - _LOOK_BACK), -1):
            if stack[place] in names:
                del stack[place:]
                return True
            if stack[place] in stops:
                return False
        return False

    def _write(self, markup: str, *, is_link: bool = False) -> None:
        if self._tags < (2 * MAX_TAGS if is_link else MAX_TAGS):
            self._out.append(markup)
            self._tags += 1


def _fewer(attributes: str) -> str:
    """Return the attributes of a tag, or the first of them where there are very many."""
    if len(attributes) <= _MAX_MARKUP:
        return attributes.rstrip("/")
    return "".join(f" {match[0]}" for match in islice(ATTRIBUTE.finditer(attributes), _MAX_ATTRIBUTES))
