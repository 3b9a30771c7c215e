"""Pages from wherever people keep them: a file, a folder, a file of records, a list of URLs, the web."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from homing.config import is_address
from homing.errors import UnreadableError, UsageError
from homing.model import Failure, Page, Reply
from homing.parse import PageParser
from homing.parse.media import Media, media_of
from homing.records import Record, is_record_file, read_records
from homing.urls import canonical

_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".txt": "text/plain",
    ".md": "text/plain",
    ".pdf": "application/pdf",
}
_UNMARKED = frozenset({Media.TEXT, Media.OTHER, Media.SITEMAP})
"""What is no page unless its name says so: text may be anything."""
_SNIFFED = 2_048
_MAX_BYTES = 64 * 1024 * 1024
_MAX_LIST = 1024 * 1024

Fetched = Mapping[str, Reply | Failure]
"""What came of each URL that was requested, by the URL as it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A page that somebody has named, and where it was found."""

    source: str
    """The path of its file, or its URL."""
    record: Record
    page: Page

    @property
    def has_words(self) -> bool:
        return bool(self.page.text.strip() or self.page.title.strip())


class Sources:
    """Reads what sources hold, and notes what cannot be read.

    Parameters
    ----------
    parser
        Reads the pages.
    fetched
        What came of the URLs that the sources name; see ``addresses_in``.
    """

    def __init__(self, parser: PageParser, fetched: Fetched | None = None) -> None:
        self.troubles: list[str] = []
        """A line for each thing that could not be read."""
        self._parser = parser
        self._fetched = fetched or {}

    def read(self, source: str) -> Iterator[Sample]:
        """The pages of a source, as far as they can be read."""
        path = Path(source)
        if not is_address(source) and path.is_dir():
            return self._noting(self._from_folder(path))
        if not is_address(source) and is_record_file(path):
            return self._noting(self._from_records(path))
        return self._noting(self._from_file_or_web(source))

    def check(self) -> None:
        """Complain if something could not be read."""
        if self.troubles:
            raise UnreadableError(self.troubles)

    def _noting(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        try:
            yield from samples
        except UsageError as error:
            self.troubles.append(str(error))

    def _from_file_or_web(self, source: str) -> Iterator[Sample]:
        addresses = addresses_in(source)
        for url in addresses:
            yield from self._noting(self._from_web(url))
        if not addresses:
            yield from self._from_file(Path(source))

    def _from_web(self, url: str) -> Iterator[Sample]:
        answer = self._fetched[url]
        if isinstance(answer, Failure):
            raise UsageError(f"cannot fetch {url}: {_worded(answer)}")
        yield self._sample(url, answer)

    def _from_folder(self, folder: Path) -> Iterator[Sample]:
        found = False
        for path in files_below(folder):
            if is_record_file(path):
                found = True
                yield from self._noting(self._from_records(path))
            elif _is_page(path):
                found = True
                yield from self._noting(self._from_file(path))
        if not found:
            raise UsageError(f"{folder} holds no pages: there is no HTML, text, PDF or JSONL file in it")

    def _from_records(self, path: Path) -> Iterator[Sample]:
        found = False
        for record in read_records(path):
            if record.reply.has_page:
                found = True
                yield self._sample(record.reply.final_url, record.reply, record.labels)
        if not found:
            raise UsageError(f"{path} holds no pages")

    def _from_file(self, path: Path) -> Iterator[Sample]:
        content_type = _TYPES.get(path.suffix.lower(), "")
        try:
            with path.open("rb") as file:
                body = file.read(_MAX_BYTES)
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from None
        if media_of(content_type, body) is Media.OTHER:
            raise UsageError(f"{path} is no page: neither HTML, text nor PDF")
        url = path.absolute().as_uri()
        headers = (("Content-Type", content_type),)
        yield self._sample(str(path), Reply(url=url, final_url=url, status=200, headers=headers, body=body))

    def _sample(self, source: str, reply: Reply, labels: tuple[str, ...] = ()) -> Sample:
        # As a file of records will give it back: the same page whether it was just fetched or kept.
        bare = Reply(
            url=reply.final_url,
            final_url=reply.final_url,
            status=reply.status,
            headers=(("Content-Type", reply.header("content-type")),),
            body=reply.body,
        )
        if media_of(bare.header("content-type"), bare.body) is Media.PDF and find_spec("pypdf") is None:
            raise UsageError(f"cannot read {source}: PDF files need pip install 'homing[pdf]'")
        return Sample(source=source, record=Record(reply=bare, labels=labels), page=self._parser.read(bare))


def addresses_in(source: str) -> tuple[str, ...]:
    """The URLs that a source stands for: itself if it is one, those in it if it is a list of URLs."""
    if is_address(source):
        return (source,)
    path = Path(source)
    try:
        if path.suffix.lower() not in (".txt", ".urls", "") or not path.is_file():
            return ()
        if path.stat().st_size > _MAX_LIST:
            return ()
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    said = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if all(url.lower().startswith(("http://", "https://")) and canonical(url) for url in said):
        return tuple(dict.fromkeys(said))
    return ()


def files_below(folder: Path) -> Iterator[Path]:
    """Every file in a folder and the folders in it, in order of name; none that is hidden."""

    def refuse(error: OSError) -> None:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _is_page(path: Path) -> bool:
    """Whether a file in a folder is meant to be a page: by its name, or by how it begins."""
    if path.suffix.lower() in _TYPES:
        return True
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_SNIFFED)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    # Programs have tags in them and pictures are made of them; a page begins with one.
    begins = head.lstrip()[:1] in (b"<", b"%") and b"<svg" not in head.lower()
    return begins and media_of("", head) not in _UNMARKED


def _worded(failure: Failure) -> str:
    hint = "; --allow-network permits private addresses" if failure.kind == "address" else ""
    return f"{failure.detail or failure.kind}{hint}"
