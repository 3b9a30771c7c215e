"""WARC revisit records: pages whose body is in another record.

Crawlers that find a page unchanged, or the same under another address, write a ``revisit`` instead of the
body. Only when all files have been read is it known which of them holds the body. These files are then read
once more; keeping every body in memory would take too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from homing.lab.archives.responses import answers_to_get, read_head, reply_of
from homing.lab.archives.warcs import WarcRecord, read_warc
from homing.model import Reply
from homing.urls import canonical, key


@dataclass(frozen=True, slots=True)
class _Revisit:
    url: str
    names: tuple[int, ...]
    """Names by which the record with the body may be known, the most reliable first."""
    head: bytes


class Revisits:
    """Knows where bodies are, and which revisits need one."""

    def __init__(self) -> None:
        self._files: list[Path] = []
        self._homes: dict[int, int] = {}
        """File of each body, by a hash of its digest and of its address."""
        self._answered: set[int] = set()
        self._revisits: list[_Revisit] = []

    def note_file(self, path: Path) -> None:
        """Note the file of the records that follow."""
        self._files.append(path)

    def note_answer(self, record: WarcRecord) -> None:
        """Note a record that has a body, or an error, of its own."""
        for name in _names(record["warc-payload-digest"], record.url):
            self._homes.setdefault(name, len(self._files) - 1)
        self._answered.add(_address(record.url))

    def note_revisit(self, record: WarcRecord) -> None:
        names = _names(record["warc-payload-digest"], record["warc-refers-to-target-uri"].strip("<>"))
        head = record.block if record.block.startswith(b"HTTP/") else b""
        self._revisits.append(_Revisit(record.url, names, head))

    def replies(self) -> Iterator[Reply]:
        """Yield revisited pages that have no body under their own URL."""
        wanted: dict[int, dict[int, list[_Revisit]]] = {}
        for revisit in self._open():
            name = next((name for name in revisit.names if name in self._homes), None)
            if name is not None:
                wanted.setdefault(self._homes[name], {}).setdefault(name, []).append(revisit)
        for home, by_name in sorted(wanted.items()):
            records = read_warc(self._files[home], lambda place, what: None)  # it was noted before
            for record in answers_to_get(records):
                yield from self._given(record, by_name)

    @property
    def lost(self) -> int:
        """Number of revisits whose body is in none of the files."""
        return sum(not any(name in self._homes for name in revisit.names) for revisit in self._open())

    def _open(self) -> Iterator[_Revisit]:
        return (each for each in self._revisits if _address(each.url) not in self._answered)

    def _given(self, record: WarcRecord, wanted: dict[int, list[_Revisit]]) -> Iterator[Reply]:
        if record.kind not in ("response", "resource"):
            return
        for name in _names(record["warc-payload-digest"], record.url):
            found = wanted.pop(name, ())
            reply = reply_of(record) if found else None
            if reply is not None:
                yield from (_under_its_own_head(reply, revisit) for revisit in found)


def _under_its_own_head(reply: Reply, revisit: _Revisit) -> Reply:
    """Join the body with the revisit's own head, if that says more than "not modified"."""
    status, headers, _ = read_head(revisit.head) if revisit.head else (304, (), b"")
    if status == 304:
        status, headers = reply.status, reply.headers
    return replace(reply, url=revisit.url, final_url=revisit.url, status=status, headers=headers)


def _names(digest: str, url: str) -> tuple[int, ...]:
    """Return the keys of a body: hashes, as archives have millions of records."""
    return (*((key(digest),) if digest else ()), *((_address(url),) if url else ()))


def _address(url: str) -> int:
    return key(canonical(url) or url)
