"""The adapter to the HTML parser: one walk over the tree gives all that the other modules read.

Nothing else in Homing knows which library parses HTML. The walk turns the tree into an ``Outline``: one
flat text of the page in which each block (paragraph, cell, list item) is a segment, and the links as spans
of that text. What stands around a link is then a slice, however deep the tags were.

Each element inherits a ``Place`` from its parent: the block, list and link it is in. So one pass in
document order is enough, without a stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from homing.parse.nesting_guard import FEW_CHARACTERS, FEW_TAGS, simplify
from homing.parse.outline import Anchor, FlatText, Listing, Outline, Place, is_boilerplate

MAX_ANCHORS = 20_000
"""Maximum links read of one page, before those to the same URL become one."""

_MAX_HEADING = 300
_MAX_HEADINGS_TEXT = 50_000
_MAX_ALTS = 10_000
_MAX_PATH = 500
"""Maximum characters of a tag path; what is nested deeper has the path of its ancestor at that level."""
_MAX_NAME = 60

# Lexbor numbers the tags it knows; reading the number costs a third of reading the name.
_SAMPLE = LexborHTMLParser("text<!-- comment -->")
_NUMBERS = {node.tag: node.tag_id for node in _SAMPLE.css("body")[0].traverse(include_text=True)}
_TEXT, _COMMENT = _NUMBERS["-text"], _NUMBERS["-comment"]


def _numbers(tags: str) -> frozenset[int]:
    return frozenset(_SAMPLE.create_node(tag).tag_id for tag in tags.split())


_BLOCKS = _numbers(
    "address article blockquote body caption center dd details dt figcaption figure frameset header hgroup "
    "html legend li main option p pre summary tbody tfoot th thead tr"
)
_LISTS = _numbers("ul ol dl menu dir")
_BOILERPLATE = _numbers("aside footer nav")
_NAMED = _LISTS | _BOILERPLATE | _numbers("dialog div fieldset form section table td")
"""Blocks whose tag, class, id or role may say that they are a menu or a footer."""
_LEVELS = {number: level for level in range(1, 7) for number in _numbers(f"h{level}")}
_UNSEEN = _numbers("script style template textarea select noframes noembed")

_REFRESH = re.compile(r"""\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(["']?)(.+)""", re.IGNORECASE | re.DOTALL)

_OUTSIDE: Place = (0, False, -1, None)

_Attributes = dict[str, str | None]


def outline(html: str) -> Outline:
    """Parse a page, simplified by the nesting guard if need be, and walk it once.

    >>> page = outline("<title>T</title><h1>Moths</h1><p>About <a href=x>hawk moths</a>.<p>End")
    >>> page.text.splitlines(), page.anchors[0].under, page.anchors[0].path
    (['Moths', 'About hawk moths.', 'End'], ('Moths',), 'html/body/p/a')
    """
    if len(html) > FEW_CHARACTERS or html.count("<") > FEW_TAGS:
        html = simplify(html)
    # Without events: lexbor would otherwise copy <option> into every <selectedcontent>, any number of times.
    root = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS).root
    if root is None:
        return Outline()
    walk = _Walk(root)
    write = walk.text.write
    places: dict[int, Place | None] = {}
    for node in root.traverse(include_text=True):
        number = node.tag_id
        parent = node.parent
        if number == _COMMENT or parent is None:
            continue
        place = places.get(parent.mem_id, _OUTSIDE)
        if number == _TEXT:
            if place is not None and (text := node.text_content):
                write(text, place)
            continue
        if visit := _VISITS.get(number):
            place = visit(walk, node, place)
        elif number in _UNSEEN:
            place = None
        places[node.mem_id] = place
    return walk.text.finish()


class _Walk:
    """The state of a walk. Each visit is to one element, and returns the place that its children inherit."""

    def __init__(self, root: LexborNode) -> None:
        attributes = root.attributes
        self._found = Outline(language=attributes.get("lang") or attributes.get("xml:lang") or "")
        self.text = FlatText(self._found)
        self._paths = {root.mem_id: _name(root.tag, attributes)}
        self._levels: tuple[int, ...] = ()
        """The levels of the headings in ``_under``."""
        self._under: tuple[str, ...] = ()
        self._headings_text = 0
        self._alts_text = 0

    # -- blocks --------------------------------------------------------------------------------------

    def visit_block(self, node: LexborNode, place: Place | None) -> Place | None:
        if place is None:
            return None
        _, boilerplate, listing, anchor = place
        number = node.tag_id
        if number in _NAMED:
            boilerplate = boilerplate or number in _BOILERPLATE or is_boilerplate(node.attributes)
            if number in _LISTS:
                self._found.listings.append(Listing(-1, -1, listing))
                listing = len(self._found.listings) - 1
        return node.mem_id, boilerplate, listing, anchor

    def visit_rule(self, node: LexborNode, place: Place | None) -> Place | None:
        self.text.end_block()
        return place

    def visit_break(self, node: LexborNode, place: Place | None) -> Place | None:
        self.text.break_line()
        return place

    def visit_heading(self, node: LexborNode, place: Place | None) -> Place | None:
        if self._headings_text < _MAX_HEADINGS_TEXT:
            text = " ".join(node.text().split())
            if not text and (image := node.css_first("img[alt]")) is not None:
                text = " ".join((image.attributes.get("alt") or "").split())
            self._headings_text += len(text)
            if text:
                self._open_heading(_LEVELS[node.tag_id], text[:_MAX_HEADING])
        return self.visit_block(node, place)

    def _open_heading(self, level: int, text: str) -> None:
        if level == 1 and not self._found.main_heading:
            self._found.main_heading = text
        self._found.headings.append(text)
        ended = 0
        while ended < len(self._levels) and self._levels[ended] >= level:
            ended += 1
        self._levels = level, *self._levels[ended:]
        self._under = text, *self._under[ended:]

    # -- what the page says of itself ----------------------------------------------------------------

    def visit_title(self, node: LexborNode, place: Place | None) -> None:
        parent = node.parent
        if not self._found.title and (parent is None or parent.tag != "svg"):
            self._found.title = " ".join(node.text().split())

    def visit_base(self, node: LexborNode, place: Place | None) -> None:
        if not self._found.base:
            self._found.base = (node.attributes.get("href") or "").strip()

    def visit_meta(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
        name, content = name.strip().lower(), (attributes.get("content") or "").strip()
        if content:
            self._found.metas.append((name, content))
        if name == "refresh":
            self._add_refresh(node, attributes, content)

    def _add_refresh(self, node: LexborNode, attributes: _Attributes, content: str) -> None:
        if match := _REFRESH.match(content):
            quote, target = match.groups()
            self._add(node, attributes, target.partition(quote)[0] if quote else target, "refresh")

    def visit_link(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        rels = (attributes.get("rel") or "").lower().split()
        href = attributes.get("href") or ""
        if "canonical" in rels and not self._found.canonical:
            self._found.canonical = href.strip()
        for rel in ("next", "prev"):
            if rel in rels:
                self._add(node, attributes, href, rel, attributes.get("title") or "")

    # -- links ---------------------------------------------------------------------------------------

    def visit_anchor(self, node: LexborNode, place: Place | None) -> Place | None:
        attributes = node.attributes
        href = attributes.get("href") or attributes.get("xlink:href")
        if not href:
            return place
        label = attributes.get("title") or attributes.get("aria-label") or ""
        anchor = self._add(node, attributes, href, attributes.get("rel") or "", label, place)
        if anchor is None or place is None:
            return place
        block, boilerplate, listing, _ = place
        return block, boilerplate, listing, anchor

    def visit_area(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        label = attributes.get("alt") or attributes.get("title") or attributes.get("aria-label") or ""
        href, rel = attributes.get("href") or "", attributes.get("rel") or ""
        self._add(node, attributes, href, rel, label, place)

    def visit_frame(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        label = attributes.get("title") or ""
        self._add(node, attributes, attributes.get("src") or "", "frame", label, place)

    def visit_image(self, node: LexborNode, place: Place | None) -> Place | None:
        alt = " ".join((node.attributes.get("alt") or "").split())
        if alt and self._alts_text < _MAX_ALTS:
            self._alts_text += len(alt)
            self._found.alts.append(alt)
        if place is not None and (anchor := place[3]) is not None:
            self.text.place_image(place, anchor)
            if alt and len(anchor.alt) < _MAX_HEADING:
                anchor.alt = f"{anchor.alt} {alt}".lstrip()
        return place

    def _add(
        self,
        node: LexborNode,
        attributes: _Attributes,
        href: str,
        rel: str,
        label: str = "",
        place: Place | None = None,
    ) -> Anchor | None:
        """Add a link that begins here, if it leads away from the page."""
        href = href.strip()
        if not href or href[0] == "#" or len(self._found.anchors) >= MAX_ANCHORS:
            return None
        segment = len(self._found.starts) - 1
        anchor = Anchor(
            href,
            " ".join(rel.lower().split()) if rel else "",
            " ".join(label.split()) if label else "",
            self._path(node, attributes),
            self._under,
            self.text.length,
            -1,
            segment,
            segment,
            -1 if place is None else place[2],
        )
        self._found.anchors.append(anchor)
        return anchor

    def _path(self, node: LexborNode, attributes: _Attributes) -> str:
        """Return the tag path to an element. Climbs only to the first ancestor whose path is known."""
        paths = self._paths
        climbed: list[LexborNode] = []
        step = node.parent
        while step is not None and step.mem_id not in paths:
            climbed.append(step)
            step = step.parent
        path = "" if step is None else paths[step.mem_id]
        for element in reversed(climbed):
            if len(path) < _MAX_PATH:
                path = f"{path}/{_name(element.tag, element.attributes)}"
            paths[element.mem_id] = path
        return f"{path}/{_name(node.tag, attributes)}" if len(path) < _MAX_PATH else path


def _name(tag: str | None, attributes: _Attributes) -> str:
    """Return the tag with its first class, or its id where it has none: ``div.nav``, ``div#top``."""
    if not attributes:
        return tag or ""
    if (classes := attributes.get("class")) and (words := classes.split(None, 1)):
        return f"{tag}.{words[0][:_MAX_NAME]}"
    if name := attributes.get("id"):
        return f"{tag}#{name[:_MAX_NAME]}"
    return tag or ""


_Visit = Callable[[_Walk, LexborNode, Place | None], Place | None]

_TABLE: tuple[tuple[Iterable[int], _Visit], ...] = (
    (_BLOCKS | _NAMED, _Walk.visit_block),
    (_LEVELS, _Walk.visit_heading),
    (_numbers("a"), _Walk.visit_anchor),
    (_numbers("area"), _Walk.visit_area),
    (_numbers("base"), _Walk.visit_base),
    (_numbers("br"), _Walk.visit_break),
    (_numbers("frame iframe"), _Walk.visit_frame),
    (_numbers("hr"), _Walk.visit_rule),
    (_numbers("img"), _Walk.visit_image),
    (_numbers("link"), _Walk.visit_link),
    (_numbers("meta"), _Walk.visit_meta),
    (_numbers("title"), _Walk.visit_title),
)
_VISITS = {number: visit for tags, visit in _TABLE for number in tags}
