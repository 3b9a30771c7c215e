"""Every record of the WARC files with its row in the catalog."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from msgspec.json import decode

from homing.errors import StorageError
from homing.model import digest_of
from homing.store.archive.reading import Facts, Record, records_at
from homing.store.archive.warc import file_name
from homing.store.check.finding import Checked, Finding, Findings

_VISITS = """
    SELECT v.id, coalesce(u.url, ''), v.digest, v.warc_file, v.warc_offset, v.warc_length
    FROM visits v LEFT JOIN urls u USING (seq)
    WHERE v.id > ? AND v.warc_file IS NOT NULL ORDER BY v.id LIMIT ?
"""


def check_archive(checked: Checked) -> Findings:
    """Read the three records of every visit, and compare them with what the catalog says of it."""
    folder = checked.layout.warc
    sizes = dict(checked.rows("SELECT file, size FROM archive ORDER BY file"))
    for number, size in sizes.items():
        yield from _check_file(folder / file_name(number), size)
    with ExitStack() as stack:
        files = _Files(folder, stack)
        for visit, url, digest, number, offset, length in checked.portions(_VISITS):
            checked.read["visits"] += 1
            problem = ""
            try:
                if not (isinstance(number, int) and isinstance(offset, int) and offset >= 0):
                    raise ValueError("the catalog does not say where it is")
                if number not in sizes or offset + length > sizes[number]:
                    raise ValueError("the catalog points beyond the end of the archive")
                records = [*records_at(files.open(number), offset)]
                checked.read["records"] += len(records)
                problem = _problem(records, url, digest, offset + length)
            except ValueError as error:
                problem = str(error)
            except FileNotFoundError:
                problem = "its file is missing"
            except OSError as error:
                raise StorageError(f"cannot read {error.filename or folder}: {error.strerror}") from None
            if problem:
                path = folder / file_name(number) if isinstance(number, int) else folder
                place = f"{path}, byte {offset}"
                checked.damaged.add(visit)
                yield Finding(part="archive", place=place, problem=problem, url=url, visit=visit)


class _Files:
    """The file that is read, opened once."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._number = -1
        self._file: BinaryIO | None = None

    def open(self, number: int) -> BinaryIO:
        if self._file is None or number != self._number:
            self._stack.close()
            self._file = None
            self._file = self._stack.enter_context((self._folder / file_name(number)).open("rb"))
            self._number = number
        return self._file


def _check_file(path: Path, size: int) -> Findings:
    try:
        there = path.stat().st_size
    except FileNotFoundError:
        yield Finding(part="archive", place=str(path), problem="it is missing")
        return
    if there < size:
        problem = f"it has {there:,} bytes, and the catalog knows of {size:,}"
        yield Finding(part="archive", place=str(path), problem=problem)


def _problem(records: list[Record], url: str, digest: str, end: int) -> str:
    """Return what is wrong with the records of a visit; empty if nothing is."""
    response, _, metadata = records
    if (about := decode(metadata.block, type=Facts).url) != url:
        return f"its record is of {about}"
    if response.fields.get("WARC-Payload-Digest", digest) != digest:
        return "its record has another digest than the catalog"
    if response.end != end:
        return "its record has another length than the catalog says"
    for record in records:
        if record.fields.get("WARC-Block-Digest") != digest_of(record.block):
            return "its content does not fit its digest"
    return ""
