"""Sitemaps and feeds, encodings, compressed bodies, archives."""

from __future__ import annotations

import gzip
import re
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.suites.suite import AGREED, Suite, Verdicts

from homing.errors import HomingError
from homing.fetch.body import Body
from homing.fetch.settings import Caps
from homing.lab.archives.sources import Sources
from homing.model import Reply
from homing.parse import PageParser
from homing.parse.charset import encoding_of
from homing.text.encodings import codec_of

GUESSED = (
    "where a page names no encoding and all of it is valid UTF-8 we take it for that; the suite expects the "
    "Windows-1252 of old browsers"
)
NO_PAGES = "holds no response with a page, and we say so"
ARC = "an ARC file, the format before WARC: refused in one line"

_LOC = re.compile(r"<(?:(?!image|video)\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]*?)\s*(?:\]\]>)?\s*</")
_ITEM = re.compile(r"<(?:item|entry)[\s>]")
_LINE = re.compile(r"^[\ufeff\s]*(https?://\S+)", re.MULTILINE)


def _sitemaps(folder: Path) -> Verdicts:
    for path in sorted([*folder.glob("sitemaps/**/*.*"), *folder.glob("rss/*")]):
        body = path.read_bytes()
        text = (gzip.decompress(body) if path.suffix == ".gz" else body).decode("utf-8", "replace")
        counted = len(set(_LOC.findall(text))) or len(_ITEM.findall(text)) or len(set(_LINE.findall(text)))
        here = f"http://www.example.com/{path.name}"
        links = PageParser().read(Reply(url=here, final_url=here, status=200, body=body), "sitemap").links
        yield AGREED if len(links) == counted else f"unexplained: {len(links)} of {counted} in {path.name}"


def _encodings(folder: Path) -> Verdicts:
    for name in ("tests1.dat", "tests2.dat", "test-yahoo-jp.dat"):
        for case in (folder / name).read_bytes().split(b"#data\n")[1:]:
            body, _, rest = case.partition(b"\n#encoding\n")
            expected, got = codec_of(rest.split(b"\n")[0].decode()), encoding_of(body)
            if got == expected:
                yield AGREED
            elif (expected, got) == ("cp1252", "utf-8"):
                yield GUESSED
            else:
                yield f"unexplained: {got} for {expected}"


def _compressed(folder: Path) -> Verdicts:
    """Pages decode to the same page, bombs are cut, broken files give what comes before the damage."""
    whole = _decoded(folder / "html-gzip.bin", "gzip").take().split()
    for path in sorted(folder.glob("*.bin")):
        names = path.stem.split("-")[1:]
        encodings = [name for name in names if name in {"gzip", "deflate", "br", "zstd"}]
        body = _decoded(path, ", ".join(encodings or ["deflate"]))
        # The page tells how it was encoded; all else in it is the same.
        same = body.take().replace(b"`deflate'", b"`gzip'").split() == whole
        good = body.truncated == "length" if path.stem.startswith("bomb") else same
        yield AGREED if good else f"unexplained: {path.name}"
    for path in sorted(folder.glob("*.gz")):
        body = _decoded(path, "gzip")
        yield AGREED if body.take() else f"unexplained: {path.name}"


def _decoded(path: Path, encoding: str) -> Body:
    body = Body(encoding, Caps())
    body.feed(path.read_bytes())
    return body


def _archives(archive: Path) -> Verdicts:
    """Each file gives its pages, or one line why not."""
    with TemporaryDirectory() as folder, tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
        for path in sorted(Path(folder).rglob("test/data/*")):
            try:
                sources = Sources([str(path)])
                pages = list(sources)
            except HomingError as error:
                yield ARC if "is an ARC file" in str(error) else f"unexplained: {path.name}: {error}"
                continue
            told = " ".join(sources.troubles)
            yield AGREED if pages else NO_PAGES if "holds no pages" in told else f"unexplained: {told}"


SUITES = [
    Suite(
        name="crawler-commons, sitemaps and feeds",
        what="as many links are found in a file as a plain search of it counts",
        source="crawler-commons",
        judge=_sitemaps,
        agreed=20,
        accepted={},
    ),
    Suite(
        name="html5lib, encodings",
        what="a page without a header is read in the encoding they say (scripted cases need JavaScript)",
        source="html5lib-tests/encoding",
        judge=_encodings,
        agreed=50,
        accepted={GUESSED: 32},
    ),
    Suite(
        name="scrapy, compressed bodies",
        what="pages decode to the same page, bombs are cut, broken files give what comes before the damage",
        source="scrapy-compressed",
        judge=_compressed,
        agreed=17,
        accepted={},
    ),
    Suite(
        name="warcio, archives",
        what="files of other producers, some broken on purpose, give their pages",
        source="warc-samples/warc-samples-warcio.tar.xz",
        judge=_archives,
        agreed=9,
        accepted={ARC: 4, NO_PAGES: 3},
    ),
]
