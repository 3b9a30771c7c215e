"""Sources of recorded pages: WARC files of any producer, crawls of Homing, JSONL files.

Several sources are one web, read in the order in which they are named; of two replies for one URL the first
counts, unless it was an error (see ``lab/web/recording.py``). Sources that cannot be read at all are reported
before the first is opened. Damaged records within one are skipped and listed in ``troubles``.
"""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from homing.errors import DamagedError, HomingError, UnreadableError, UsageError
from homing.lab.archives.responses import answers_to_get, reply_of
from homing.lab.archives.revisits import Revisits
from homing.lab.archives.unpacking import RECORD, pieces
from homing.lab.archives.warcs import read_warc
from homing.lab.web.recorded import FILE
from homing.records import SUFFIXES, Record, is_record_file, read_records
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic.sources import files_below

RELEVANT, IRRELEVANT = "relevant", "irrelevant"
"""Labels of a crawl's pages: a crawl has one topic, and a page is on it or not."""

_WARC = (".warc", ".warc.gz", ".warc.zst")
_ARC = (".arc", ".arc.gz")
_KNOWN = (*_WARC, *_ARC, *SUFFIXES)
_XZ = b"\xfd7zXZ\x00"
_TOLD = 20
"""Maximum lines of trouble about one file."""


class Sources:
    """The records of several sources, one after another.

    Parameters
    ----------
    names
        Files, folders or patterns such as ``crawl-*.warc.gz``. A folder is a crawl of Homing, or else all
        the WARC and JSONL files in it. The first bytes of a file tell its type, whatever its name.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._troubles: list[str] = []
        self._told: Counter[str] = Counter()
        self._revisits = Revisits()
        wrong: list[str] = []
        self._sources: list[Path] = []
        for name in names:
            try:
                self._sources += self._expanded(name)
            except HomingError as error:
                wrong += error.lines
        if wrong:
            raise UnreadableError(wrong)

    @property
    def troubles(self) -> list[str]:
        """A line for each thing that could not be read; at most twenty for one file."""
        more = {place: count - _TOLD for place, count in self._told.items() if count > _TOLD}
        return self._troubles + [f"{place}: and {count:,} more" for place, count in more.items()]

    def __iter__(self) -> Iterator[Record]:
        for path in self._sources:
            read = 0
            try:
                for record in self._records(path):
                    read += 1
                    yield record
            except HomingError as error:
                self._note(path, str(error))
            except OSError as error:
                self._note(path, f"cannot read {path}: {error.strerror}")
            if not read and not self._told[str(path)]:
                self._note(path, f"{path} holds no pages")
        try:
            yield from (Record(reply=reply) for reply in self._revisits.replies())
        except OSError as error:
            self._note(None, f"cannot read {error.filename}: {error.strerror}")
        if lost := self._revisits.lost:
            page = "a page that was" if lost == 1 else f"{lost:,} pages that were"
            self._note(None, f"{page} revisited only: the first visit is in none of the files")

    def _records(self, path: Path) -> Iterator[Record]:
        if path.is_dir():
            return self._of_crawl(path)
        if _is_warc(path):
            return self._of_warc(path)
        return read_records(path, lambda trouble: self._note(path, trouble))

    def _of_warc(self, path: Path) -> Iterator[Record]:
        self._revisits.note_file(path)
        records = read_warc(path, lambda place, what: self._note(path, f"{path}, byte {place}: {what}"))
        for record in answers_to_get(records):
            if record.kind == "revisit" and record.url:
                self._revisits.note_revisit(record)
            if record.kind not in ("response", "resource"):
                continue
            reply = reply_of(record)
            if reply is not None and reply.status != 304:  # which says nothing but that there was a page
                self._revisits.note_answer(record)
                yield Record(reply=reply)

    def _of_crawl(self, folder: Path) -> Iterator[Record]:
        with Reader(folder) as reader:
            said = {label.seq: RELEVANT if label.relevant else IRRELEVANT for label in reader.labels()}
            gone = 0
            for seq, url in reader.addresses():
                row = reader.visit(seq)
                if row is None or row.kind not in ("page", "redirect"):
                    continue
                try:
                    reply = reader.reply(row)
                except DamagedError as error:
                    self._note(folder, str(error))
                    continue
                if reply is None:
                    gone += 1
                else:
                    labels = (said[seq],) if seq in said else ()
                    yield Record(reply=replace(reply, url=url, final_url=url), labels=labels)
            if gone:
                self._note(folder, f"{folder}: {gone:,} replies were not archived ([store] keep)")

    def _expanded(self, name: str) -> list[Path]:
        """Yield the crawls and files that a source stands for."""
        path = Path(name)
        if not path.exists() and glob.has_magic(name):
            return self._usable(
                sorted(map(Path, glob.glob(name, recursive=True))), f"no file is named like {name}"
            )
        if not path.is_dir():
            _check(path)
            return [path]
        if Layout(path).database.is_file():
            Reader(path).close()  # says what is wrong with it
            return [path]
        if (path / FILE).is_file():
            raise UsageError(f"{path} is a recorded web already; name what it was made of")
        files = [each for each in files_below(path) if _named_like(each, _KNOWN)]
        return self._usable(files, f"{path} holds neither a crawl of Homing nor WARC or JSONL files")

    def _usable(self, paths: Sequence[Path], if_none: str) -> list[Path]:
        """Yield the files of a folder that can be read; the others were not named by the user."""
        usable = []
        for path in paths:
            try:
                usable += self._expanded(str(path))
            except HomingError as error:
                self._note(path, str(error))
        if not usable:
            raise UsageError(if_none)
        return usable

    def _note(self, place: Path | None, trouble: str) -> None:
        self._told[str(place)] += 1
        if self._told[str(place)] <= _TOLD:
            self._troubles.append(trouble)


def _check(path: Path) -> None:
    """Raise an error for a file of another type."""
    try:
        with path.open("rb") as file:
            begins = file.read(16)
        head = _head(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if head.startswith(b"filedesc:") or _named_like(path, _ARC):
        raise UsageError(f"{path} is an ARC file; make a WARC file of it first, as with warcio recompress")
    if not (_is_warc(path) or is_record_file(path) or begins.startswith(_XZ) or _is_json(head)):
        raise UsageError(f"{path} is neither a WARC file nor a crawl of Homing nor JSONL (.gz, .xz, .zst)")


def _is_warc(path: Path) -> bool:
    head = _head(path)
    return head.lstrip().startswith(RECORD) or (_named_like(path, _WARC) and not _is_json(head))


def _is_json(head: bytes) -> bool:
    return head.lstrip().startswith(b"{")


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked."""
    with path.open("rb") as file:
        piece = next(pieces(file, lambda place, what: None), None)
    return piece.data[:1024] if piece else b""


def _named_like(path: Path, suffixes: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(suffixes)
