"""The adapter to the HTML parser: one walk over the tree gives all that the other modules read.

Nothing else in Homing knows which library parses HTML. The walk turns the tree into an ``Outline``: one
flat text of the page in which each block (paragraph, cell, list item) is a segment, and the links as spans
of that text. What stands around a link is then a slice, however deep the tags were.

Each element inherits a ``Place`` from its parent: the block, list and link it is in. So one pass in
document order is enough, without a stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from homing.parse.boilerplate import is_boilerplate
from homing.parse.outline import Anchor, FlatText, Listing, Outline, Place

MAX_ANCHORS = 20_000
"""Links looked at in one page, before those to the same URL become one."""

_MAX_HEADING = 300
_MAX_HEADINGS_TEXT = 50_000
_MAX_ALTS = 10_000
_MAX_PATH = 500
"""Letters of a tag path; what is nested deeper has the path of its ancestor at that level."""
_MAX_NAME = 60

_BLOCKS = (
    "address article blockquote body caption center dd details dt figcaption figure frameset header hgroup "
    "html legend li main option p pre summary tbody tfoot th thead tr"
).split()
_PARTS = "dialog div fieldset form section table td".split()
_BOILERPLATE = ("aside", "footer", "nav")
_LISTS = ("ul", "ol", "dl", "menu", "dir")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = ("script", "style", "template", "textarea", "select", "noframes", "noembed")

# Lexbor numbers the tags it knows; asking for the number costs a third of asking for the name.
_SAMPLE = LexborHTMLParser("text<!-- comment -->")
_NUMBERS = {node.tag: node.tag_id for node in _SAMPLE.css("body")[0].traverse(include_text=True)}
_TEXT, _COMMENT = _NUMBERS["-text"], _NUMBERS["-comment"]

_REFRESH = re.compile(r"""\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(["']?)(.+)""", re.IGNORECASE | re.DOTALL)


def outline(html: str) -> Outline:
    """Parse a page, simplified by the nesting guard if need be, and walk it once.

    >>> page = outline("<title>T</title><h1>Moths</h1><p>About <a href=x>hawk moths</a>.<p>End")
    >>> page.text.splitlines(), page.anchors[0].under, page.anchors[0].path
    (['Moths', 'About hawk moths.', 'End'], ('Moths',), 'html/body/p/a')
    """
    # Without events: lexbor would otherwise copy <option> into every <selectedcontent>, as often as asked.
    root = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS).root
    return Outline() if root is None else _Walk(root).through()


_OUTSIDE: Place = (0, False, -1, None)

_Attributes = dict[str, str | None]


class _Walk:
    """One pass over the tree, in document order."""

    def __init__(self, root: LexborNode) -> None:
        self._root = root
        self._found = Outline()
        self._text = FlatText(self._found)
        self._paths = {root.mem_id: _name(root.tag, root.attributes)}
        self._open_headings: list[tuple[int, str]] = []
        self._under: tuple[str, ...] = ()
        self._headings_text = 0
        self._alts_text = 0

    def through(self) -> Outline:
        found = self._found
        attributes = self._root.attributes
        found.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        write = self._text.write
        places: dict[int, Place | None] = {}
        for node in self._root.traverse(include_text=True):
            number = node.tag_id
            parent = node.parent
            if number == _COMMENT or parent is None:
                continue
            place = places.get(parent.mem_id, _OUTSIDE)
            if number == _TEXT:
                if place is not None and (text := node.text_content):
                    write(text, place)
                continue
            visit = _VISITS.get(number)
            places[node.mem_id] = place if visit is None else visit(self, node, place)
        self._text.finish()
        return found

    # -- blocks: each visit returns the place that the children inherit ------------------------------

    def _visit_block(self, node: LexborNode, place: Place | None) -> Place | None:
        if place is None:
            return None
        _, boilerplate, listing, anchor = place
        return node.mem_id, boilerplate, listing, anchor

    def _visit_part(self, node: LexborNode, place: Place | None) -> Place | None:
        """Return the place of a block whose class or role may say that it is a menu or a footer."""
        if place is None:
            return None
        _, boilerplate, listing, anchor = place
        return node.mem_id, boilerplate or is_boilerplate(node.attributes), listing, anchor

    def _visit_boilerplate(self, node: LexborNode, place: Place | None) -> Place | None:
        return None if place is None else (node.mem_id, True, place[2], place[3])

    def _visit_list(self, node: LexborNode, place: Place | None) -> Place | None:
        if place is None:
            return None
        _, boilerplate, outer, anchor = place
        self._found.listings.append(Listing(-1, -1, outer))
        return (
            node.mem_id,
            boilerplate or is_boilerplate(node.attributes),
            len(self._found.listings) - 1,
            anchor,
        )

    def _visit_unseen(self, node: LexborNode, place: Place | None) -> None:
        return None

    def _visit_rule(self, node: LexborNode, place: Place | None) -> Place | None:
        self._text.end_block()
        return place

    def _visit_break(self, node: LexborNode, place: Place | None) -> Place | None:
        self._text.break_line()
        return place

    def _visit_heading(self, node: LexborNode, place: Place | None) -> Place | None:
        if self._headings_text < _MAX_HEADINGS_TEXT:
            text = " ".join(node.text().split())
            if not text and (image := node.css_first("img[alt]")) is not None:
                text = " ".join((image.attributes.get("alt") or "").split())
            self._headings_text += len(text)
            if text:
                self._open_heading(_HEADINGS[node.tag or ""], text[:_MAX_HEADING])
        return self._visit_block(node, place)

    def _open_heading(self, level: int, text: str) -> None:
        if level == 1 and not self._found.main_heading:
            self._found.main_heading = text
        self._found.headings.append(text)
        while self._open_headings and self._open_headings[-1][0] >= level:
            self._open_headings.pop()
        self._open_headings.append((level, text))
        self._under = tuple(heading for _, heading in reversed(self._open_headings))

    # -- what the page says of itself ----------------------------------------------------------------

    def _visit_title(self, node: LexborNode, place: Place | None) -> None:
        parent = node.parent
        if not self._found.title and (parent is None or parent.tag != "svg"):
            self._found.title = " ".join(node.text().split())

    def _visit_base(self, node: LexborNode, place: Place | None) -> None:
        if not self._found.base:
            self._found.base = (node.attributes.get("href") or "").strip()

    def _visit_meta(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
        name, content = name.strip().lower(), (attributes.get("content") or "").strip()
        self._found.metas.append((name, content))
        if name == "refresh" and (match := _REFRESH.match(content)):
            quote, target = match.groups()
            self._add(node, attributes, target.partition(quote)[0] if quote else target, "refresh")

    def _visit_link(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        rels = (attributes.get("rel") or "").lower().split()
        href = attributes.get("href") or ""
        if "canonical" in rels and not self._found.canonical:
            self._found.canonical = href.strip()
        for rel in ("next", "prev"):
            if rel in rels:
                self._add(node, attributes, href, rel, attributes.get("title") or "")

    # -- links ---------------------------------------------------------------------------------------

    def _visit_anchor(self, node: LexborNode, place: Place | None) -> Place | None:
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

    def _visit_area(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        label = attributes.get("alt") or attributes.get("title") or attributes.get("aria-label") or ""
        href, rel = attributes.get("href") or "", attributes.get("rel") or ""
        self._add(node, attributes, href, rel, label, place)

    def _visit_frame(self, node: LexborNode, place: Place | None) -> None:
        attributes = node.attributes
        label = attributes.get("title") or ""
        self._add(node, attributes, attributes.get("src") or "", "frame", label, place)

    def _visit_image(self, node: LexborNode, place: Place | None) -> Place | None:
        alt = " ".join((node.attributes.get("alt") or "").split())
        if alt and self._alts_text < _MAX_ALTS:
            self._alts_text += len(alt)
            self._found.alts.append(alt)
        if place is not None and (anchor := place[3]) is not None:
            self._text.place_image(place, anchor)
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
            self._text.length,
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


_VISITS_BY_NAME: dict[str, Callable[[_Walk, LexborNode, Place | None], Place | None]] = {
    **dict.fromkeys(_BLOCKS, _Walk._visit_block),
    **dict.fromkeys(_PARTS, _Walk._visit_part),
    **dict.fromkeys(_BOILERPLATE, _Walk._visit_boilerplate),
    **dict.fromkeys(_LISTS, _Walk._visit_list),
    **dict.fromkeys(_HEADINGS, _Walk._visit_heading),
    **dict.fromkeys(_UNSEEN, _Walk._visit_unseen),
    "a": _Walk._visit_anchor,
    "area": _Walk._visit_area,
    "base": _Walk._visit_base,
    "br": _Walk._visit_break,
    "frame": _Walk._visit_frame,
    "hr": _Walk._visit_rule,
    "iframe": _Walk._visit_frame,
    "img": _Walk._visit_image,
    "link": _Walk._visit_link,
    "meta": _Walk._visit_meta,
    "title": _Walk._visit_title,
}
_VISITS = {_SAMPLE.create_node(tag).tag_id: visit for tag, visit in _VISITS_BY_NAME.items()}
