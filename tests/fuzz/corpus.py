"""What the guided fuzzer breeds from: small files as the web has them, of the little web and our own archive.

Where the public test suites are at hand, the WARC files among them are used as well; they are read in place.
"""

from __future__ import annotations

import gzip
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.targets import DRESSES
from tests.suites.suite import DATA

from homing.demo.web.little_web import LittleWeb
from homing.model import Reply
from homing.store.archive.warc import Archive, file_name

_OF_A_TYPE = 12
_LONGEST = 20_000
_AS_IT_IS, _EACH_GZIPPED = b"\0", b"\1"


def pages() -> Iterator[bytes]:
    """Pages, feeds, sitemaps and robots.txt of the little web, each under a type that fits."""
    types = [content_type.partition(";")[0] for content_type, _ in DRESSES]
    for reply in _replies():
        label = reply.header("content-type").partition(";")[0]
        dress = types.index(label) if label in types else 1
        yield bytes([dress]) + reply.body
        if label in {"application/xml", "application/gzip"}:
            yield bytes([9]) + reply.body


def archives() -> Iterator[bytes]:
    """WARC files of a few pages: as we write them, and unpacked, so that there is something to change."""
    replies = list(_replies())
    for start in range(0, len(replies), 8):
        packed = _archived(replies[start : start + 2])
        yield _AS_IT_IS + packed
        yield _EACH_GZIPPED + gzip.decompress(packed)
    samples = DATA / "warc-samples" / "warc-samples-warcio.tar.xz"
    if samples.exists():
        with tarfile.open(samples) as tar:
            for member in tar:
                file = tar.extractfile(member) if member.size <= _LONGEST else None
                if file is not None and ".warc" in member.name:
                    yield _AS_IT_IS + file.read()


CORPORA: dict[str, Callable[[], Iterator[bytes]]] = {"pages": pages, "archives": archives}


def _replies() -> Iterator[Reply]:
    """A few of each type."""
    given: Counter[str] = Counter()
    for url, page in LittleWeb(seed=1, pages=300, hosts=20).pages.items():
        reply = Reply(url=url, final_url=url, status=page.status, headers=page.headers, body=page.body)
        label = reply.header("content-type")
        given[label] += 1
        if given[label] <= _OF_A_TYPE and len(reply.body) <= _LONGEST:
            yield reply


def _archived(replies: Sequence[Reply]) -> bytes:
    with TemporaryDirectory() as folder:
        archive = Archive(Path(folder), committed={}, limit=1_000_000, about={"software": "homing"})
        for reply in replies:
            archive.write(reply, digest="sha1:", unchanged=reply.status == 304, about={})
        archive.flush()
        archive.close()
        return (Path(folder) / file_name(1)).read_bytes()
