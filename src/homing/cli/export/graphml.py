"""Pages and their links as GraphML, which Gephi, NetworkX, igraph and others read."""

from __future__ import annotations

import re
from typing import BinaryIO
from xml.sax.saxutils import escape

from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="score" for="node" attr.name="score" attr.type="double"/>
<key id="relevant" for="node" attr.name="relevant" attr.type="boolean"/>
<key id="depth" for="node" attr.name="depth" attr.type="int"/>
<graph id="crawl" edgedefault="directed">
"""
_TAIL = "</graph>\n</graphml>\n"

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold, not even escaped."""


def write_graphml(reader: Reader, file: BinaryIO, *, relevant_only: bool = False) -> int:
    """Write the graph and return its number of pages. Links to unfetched URLs are left out."""
    file.write(_HEAD.encode())
    count = 0
    # One byte per URL: whether it is in the graph. A set of a million numbers would cost sixty times that.
    present = bytearray()
    for row in reader.pages(relevant_only=relevant_only):
        file.write(_node(row).encode())
        if row.seq >= len(present):
            present.extend(bytes(row.seq + 1 - len(present)))
        present[row.seq] = 1
        count += 1
    for source, target in reader.edges():
        if source < len(present) and target < len(present) and present[source] and present[target]:
            file.write(b'<edge source="n%d" target="n%d"/>\n' % (source, target))
    file.write(_TAIL.encode())
    return count


def _node(row: PageRow) -> str:
    values = {
        "url": _text(row.url),
        "title": _text(row.title),
        "score": "" if row.score is None else repr(row.score),
        "relevant": "true" if row.relevant else "false",
        "depth": str(row.depth),
    }
    data = "".join(f'<data key="{name}">{value}</data>' for name, value in values.items() if value)
    return f'<node id="n{row.seq}">{data}</node>\n'


def _text(text: str) -> str:
    return escape(_NOT_XML.sub(" ", text))
