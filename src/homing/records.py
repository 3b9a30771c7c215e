"""Files of records: labelled pages, one JSON object a line.

    {"url": "https://a.example/", "status": 200, "content_type": "text/html", "charset": "utf-8",
     "body": "<title>Bees</title> ...", "labels": ["animals.insects"]}

``body`` is text, whose bytes are ``body.encode(charset)``; a binary body is ``body_base64``. All keys but
``url`` may be missing, and other keys are ignored. Files may be packed as gzip, xz or zstd.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import zstandard

from homing.bounded import TooLargeError, lines_of
from homing.errors import UsageError
from homing.files import whole_file
from homing.model import Reply
from homing.text.encodings import own_codec_of

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst")

LONGEST = 128 * 1024 * 1024
"""Bytes of a line: the largest page read from a file (64 MB) as base64, and the rest of its record."""
FREELY = 256 * 1024 * 1024
"""Bytes that any packed file may become. What is larger must not be more than 250 times its packed form."""
_LARGEST_TEXT = 16 * 1024 * 1024
"""Bytes of a body that is written as text, in which one may take six: larger ones are base64."""

_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A page as received, and its labels."""

    reply: Reply
    labels: tuple[str, ...] = ()

    def is_labelled(self, name: str) -> bool:
        """Return whether it has that label, or one below it: levels are separated by dots.

        >>> here = "http://a.example/"
        >>> moth = Record(reply=Reply(url=here, final_url=here, status=200), labels=("animals.insects",))
        >>> moth.is_labelled("animals"), moth.is_labelled("animals.in")
        (True, False)
        """
        return any(label == name or label.startswith(f"{name}.") for label in self.labels)


def is_record_file(path: Path) -> bool:
    """Return whether a file has the name of a file of records.

    >>> is_record_file(Path("pages.jsonl.zst")), is_record_file(Path("pages.json"))
    (True, False)
    """
    return path.name.lower().endswith(SUFFIXES)


def read_records(path: Path, note: Callable[[str], None] | None = None) -> Iterator[Record]:
    """Yield the records of a file.

    Parameters
    ----------
    note
        Called with a message for each line of the file that is no record; reading continues after it.
        Default: such a line raises an error.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> url = "http://a.example/"
    >>> moth = Record(reply=Reply(url=url, final_url=url, status=200, body=b"A moth"), labels=("insects",))
    >>> with TemporaryDirectory() as folder:
    ...     write_records(Path(folder, "pages.jsonl.gz"), [moth])
    ...     [(record.reply.body, record.labels) for record in read_records(Path(folder, "pages.jsonl.gz"))]
    [(b'A moth', ('insects',))]
    """
    number = 0
    try:
        with path.open("rb") as file:
            for line in lines_of(file, longest=LONGEST, freely=FREELY):
                number += 1
                if not line.strip():
                    continue
                try:
                    record = _record(line)
                except _BadLineError as problem:
                    complaint = f"{path}, line {number}: {problem}"
                    if note is None:
                        raise UsageError(complaint) from None
                    note(complaint)
                else:
                    yield record
    except TooLargeError as error:
        raise UsageError(f"{path} is no file of records after line {number}: {error}; leave it out") from None
    except ValueError as error:
        raise UsageError(f"{path} is damaged after line {number}: {error}; restore it from a copy") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write a file of records atomically, compressed by its suffix."""
    with whole_file(path) as file, _compressed(file, path.suffix.lower()) as out:
        for record in records:
            out.write(json.dumps(_plain(record), ensure_ascii=False).encode() + b"\n")


class _BadLineError(ValueError):
    """A line is no record."""


def _record(line: bytes) -> Record:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise _BadLineError("no JSON") from None
    if not isinstance(fields, dict):
        raise _BadLineError("no JSON object")
    url = _text(fields, "url")
    if not url:
        raise _BadLineError('"url" is missing')
    status = fields.get("status", 200)
    if not isinstance(status, int) or isinstance(status, bool):
        raise _BadLineError('"status" must be a whole number')
    labels = fields.get("labels") or []
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise _BadLineError('"labels" must be a list of texts')
    body, charset = _body(fields)
    kind = _text(fields, "content_type")
    content_type = f"{kind}; charset={charset}" if charset else kind
    reply = Reply(url=url, final_url=url, status=status, headers=(("Content-Type", content_type),), body=body)
    return Record(reply=reply, labels=tuple(labels))


def _body(fields: Mapping[str, object]) -> tuple[bytes, str]:
    """Return the bytes of a body, and their charset."""
    charset = _text(fields, "charset")
    packed = _text(fields, "body_base64")
    if packed:
        try:
            return base64.b64decode(packed, validate=True), charset
        except binascii.Error:
            raise _BadLineError('"body_base64" is no base64') from None
    text = _text(fields, "body")
    try:
        if codec := own_codec_of(charset):
            return text.encode(codec), charset
    except ValueError:
        pass  # the charset lacks a character: the text itself is what counts, as with one that is unknown
    body = text.encode("utf-8", "replace")
    return body, "" if body.isascii() else "utf-8"


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _BadLineError(f'"{key}" must be text')
    return value


def _plain(record: Record) -> dict[str, object]:
    reply = record.reply
    header = reply.header("content-type")
    named = _CHARSET.search(header)
    charset = named[1] if named else ""
    fields: dict[str, object] = {
        "url": reply.final_url,
        "status": reply.status,
        "content_type": header.partition(";")[0].strip(),
        "charset": charset,
    }
    text = _as_text(reply.body, charset)
    if text is None:
        fields["body_base64"] = base64.b64encode(reply.body).decode()
    else:
        fields["body"] = text
    fields["labels"] = list(record.labels)
    return fields


def _as_text(body: bytes, charset: str) -> str | None:
    """Return the text of a body, if it can be encoded back to the same bytes."""
    if len(body) > _LARGEST_TEXT:
        return None
    if not charset:
        return body.decode() if body.isascii() else None
    codec = own_codec_of(charset)
    if codec is None:
        return None
    try:
        text = body.decode(codec)
        return text if text.encode(codec) == body else None
    except ValueError:
        return None


@contextmanager
def _compressed(
    file: BinaryIO, suffix: str
) -> Iterator[BinaryIO | gzip.GzipFile | lzma.LZMAFile | zstandard.ZstdCompressionWriter]:
    if suffix == ".gz":
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as out:
            yield out
    elif suffix == ".xz":
        with lzma.open(file, "wb") as out:
            yield out
    elif suffix == ".zst":
        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as out:
            yield out
    else:
        yield file
