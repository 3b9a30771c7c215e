"""What is fed with hostile bytes, and what must hold whatever they are.

Each target takes bytes, the first of which says how the others are dressed up, and raises if a promise is
broken. Hypothesis calls them in the test run with bytes it makes up (``test_*.py``), and ``guided.py`` for
minutes with bytes that it breeds by what they reach in the code.
"""

from __future__ import annotations

import contextlib
import gzip
import re
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import zstandard

from homing.errors import DamagedError
from homing.lab.archives.responses import answers_to_get, reply_of
from homing.lab.archives.warcs import read_warc
from homing.model import Kind, Page, Reply
from homing.parse import PageParser
from homing.store.archive.reading import read_reply
from homing.urls import canonical

URL = "http://a.example/b/c.html?d=e"
DRESSES: tuple[tuple[str, Kind], ...] = (
    ("text/html", "page"),
    ("", "page"),
    ("text/html; charset=utf-8", "page"),
    ("text/html; charset=shift_jis", "page"),
    ("text/html; charset=iso-2022-jp", "page"),
    ("application/rss+xml", "page"),
    ("application/xml", "page"),
    ("text/plain; charset=utf-16le", "page"),
    ("application/pdf", "page"),
    ("", "sitemap"),
    ("text/plain", "sitemap"),
    ("application/xml; charset=euc-jp", "sitemap"),
)
"""What a body is said to be, and what it was asked for as."""

_BETWEEN_RECORDS = re.compile(rb"(?=WARC/1\.)")


def read_page(data: bytes) -> Page:
    """A body of any kind becomes a page that every other part can work with."""
    content_type, kind = DRESSES[(data[0] if data else 0) % len(DRESSES)]
    headers = (("Content-Type", content_type), ("X-Robots-Tag", data[1:40].decode("latin-1")))
    reply = Reply(url=URL, final_url=URL, status=200, headers=headers, body=data[1:])
    page = PageParser().read(reply, kind)
    for text in (page.title, page.description, page.keywords, page.alts, page.text, *page.headings):
        text.encode()  # half a surrogate pair could be neither stored nor printed
    for place, link in enumerate(page.links):
        assert link.place == place
        assert canonical(link.url) == link.url
        f"{link.anchor}{link.around}{link.block}{link.rel}{link.path}".encode()
    assert page.canonical in ("", canonical(page.canonical))
    assert len(page.language) in (0, 2)
    return page


def read_archive(data: bytes) -> int:
    """Both readers come to the end of a file, and what they find in it is what replies are made of.

    Tells how many records there were.
    """
    with tempfile.NamedTemporaryFile(suffix=".warc") as file:
        file.write(_PACKINGS[(data[0] if data else 0) % len(_PACKINGS)](data[1:]))
        file.flush()
        path = Path(file.name)
        notes: list[tuple[int, str]] = []
        records = list(read_warc(path, lambda place, what: notes.append((place, what))))
        size = path.stat().st_size
        assert all(0 <= place <= size for place, _ in notes)
        assert all(before.offset <= after.offset for before, after in pairwise(records))
        for record in answers_to_get(records):
            reply_of(record)
        for offset in {0, *(record.offset for record in records[:3])}:
            with contextlib.suppress(DamagedError):
                read_reply(path, offset)
    return len(records)


TARGETS: dict[str, Callable[[bytes], object]] = {"pages": read_page, "archives": read_archive}


def _each_packed(pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(pack(record) for record in _BETWEEN_RECORDS.split(data) if record)


_PACKINGS: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    _each_packed(lambda record: gzip.compress(record, 1, mtime=0)),
    _each_packed(zstandard.ZstdCompressor(1).compress),
    lambda data: gzip.compress(data, 1, mtime=0),
)
"""How a file of records may lie on the disk. As it is also means: what the fuzzer makes of a packed one."""
