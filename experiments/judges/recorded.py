"""Recorded webs as labelled pages, and the topics by which they are judged.

A web is a folder with ``pages.jsonl.xz``. It is parsed once; the pages are cached in a file outside the
repository until the web or the parser changes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

import homing.parse
from homing.model import Page, Reply
from homing.parse import PageParser

WIKISPEEDIA = "wikispeedia"
WEBKB = "webkb"
SPLITS = ("development", "test")

_WEBKB_CLASSES = {"development": ("project", "staff"), "test": ("course", "faculty")}
_LABEL_LINE = re.compile(r"^.*\bRelated subjects:.*$", re.MULTILINE)
"""Every article of wikispeedia names its own label in this line, as a heading."""


@dataclass(frozen=True)
class Labelled:
    page: Page
    """Without its links, which no judge of pages reads, and without a line that names its label."""
    labels: tuple[str, ...]

    def is_on(self, label: str) -> bool:
        """Return whether it has the label, or one below it."""
        return any(each == label or each.startswith(f"{label}.") for each in self.labels)


@dataclass(frozen=True)
class Subject:
    """A topic whose pages people have labelled."""

    web: str
    label: str

    @property
    def name(self) -> str:
        """The last part of the label with its words separated: all that is given of the topic.

        >>> Subject("wikispeedia", "subject.Science.Biology.Insects_Reptiles_and_Fish").name
        'Insects Reptiles and Fish'
        """
        return self.label.rpartition(".")[2].replace("_", " ")


def subjects_of(folder: Path, split: str) -> list[Subject]:
    """Return all topics of a web that belong to the split."""
    if folder.name == WEBKB:
        return [Subject(WEBKB, label) for label in _WEBKB_CLASSES[split]]
    labels = json.loads((folder / "split.json").read_text())[split]
    return [Subject(folder.name, label) for label in labels]


def pages_of(folder: Path, kept_in: Path) -> list[Labelled]:
    """Return the labelled pages of a web: index pages, which list topics outright, have no labels."""
    kept = kept_in / f"{folder.name}-{_digest(folder)}.msgpack"
    if kept.exists():
        return msgspec.msgpack.decode(kept.read_bytes(), type=list[Labelled])
    pages = list(_parsed(folder / "pages.jsonl.xz"))
    kept_in.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(msgspec.msgpack.encode(pages))
    return pages


def _parsed(path: Path) -> Iterator[Labelled]:
    parser = PageParser()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["labels"]:
                yield Labelled(_without_label(parser.read(_reply(record))), tuple(record["labels"]))


def _reply(record: dict[str, str]) -> Reply:
    kind = f"{record['content_type']}; charset={record['charset']}"
    return Reply(
        url=record["url"],
        final_url=record["url"],
        status=200,
        headers=(("content-type", kind),),
        body=record["body"].encode(record["charset"], "replace"),
    )


def _without_label(page: Page) -> Page:
    return msgspec.structs.replace(
        page,
        links=(),
        text=_LABEL_LINE.sub("", page.text),
        headings=tuple(heading for heading in page.headings if not _LABEL_LINE.match(heading)),
    )


def _digest(folder: Path) -> str:
    """Return a digest of the web and of all code that reads it."""
    code = [Path(__file__), *sorted(Path(homing.parse.__file__).parent.glob("*.py"))]
    digest = hashlib.sha256(str((folder / "pages.jsonl.xz").stat().st_size).encode())
    for path in code:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
