"""Read pages from a file, a folder, a file of records, a list of URLs, or the web."""

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
"""Types that are not a page unless the file's name says so: text may be anything."""
_SNIFFED = 2_048
_MAX_BYTES = 64 * 1024 * 1024
_MAX_LIST = 1024 * 1024

Fetched = Mapping[str, Reply | Failure]
"""The reply or failure of each URL, by the URL as the user wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A page from a source, and where it was found."""

    source: str
    """The path of its file, or its URL."""
    record: Record
    page: Page

    @property
    def has_words(self) -> bool:
        return bool(self.page.text.strip() or self.page.title.strip())


class Sources:
    """Reads the pages of sources, and lists what cannot be read.

    Parameters
    ----------
    parser
        Reads the pages.
    fetched
        The replies of the URLs that the sources name; see ``urls_in``.

    Examples
    --------
    >>> page = Reply(url="http://a.org/", final_url="http://a.org/", status=200, body=b"<title>Moths</title>")
    >>> sources = Sources(PageParser(), {"http://a.org/": page})
    >>> [sample.page.title for sample in sources.read("http://a.org/")]
    ['Moths']
    """

    def __init__(self, parser: PageParser, fetched: Fetched | None = None) -> None:
        self.troubles: list[str] = []
        """A line for each thing that could not be read."""
        self._parser = parser
        self._fetched = fetched or {}

    def read(self, source: str) -> Iterator[Sample]:
        """Yield the pages of a source; what cannot be read goes to ``troubles``."""
        path = Path(source)
        if not is_address(source) and path.is_dir():
            return self._collecting_errors(self._from_folder(path))
        if not is_address(source) and is_record_file(path):
            return self._collecting_errors(self._from_records(path))
        return self._collecting_errors(self._from_file_or_web(source))

    def check(self) -> None:
        """Raise an error if something could not be read."""
        if self.troubles:
            raise UnreadableError(self.troubles)

    def _collecting_errors(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        try:
            yield from samples
        except UsageError as error:
            self.troubles.append(str(error))

    def _from_file_or_web(self, source: str) -> Iterator[Sample]:
        urls = urls_in(source)
        for url in urls:
            yield from self._collecting_errors(self._from_web(url))
        if not urls:
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
                yield from self._collecting_errors(self._from_records(path))
            elif _is_page(path):
                found = True
                yield from self._collecting_errors(self._from_file(path))
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
        # As a file of records will return it: the same page whether it was just fetched or loaded.
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


def urls_in(source: str) -> tuple[str, ...]:
    """Return the URLs that a source stands for: itself if it is one, those in it if it is a list of URLs."""
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
    urls = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if all(url.lower().startswith(("http://", "https://")) and canonical(url) for url in urls):
        return tuple(dict.fromkeys(urls))
    return ()


def files_below(folder: Path) -> Iterator[Path]:
    """Yield every file in a folder and the folders in it, in order of name, except hidden ones."""

    def refuse(error: OSError) -> None:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _is_page(path: Path) -> bool:
    """Return whether a file in a folder is a page, by its name or by its first bytes."""
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
