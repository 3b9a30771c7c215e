"""The layout of a crawl folder, and how its one writer opens it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from homing.errors import DamagedError, FolderError, StorageError
from homing.files import NO_ROOM, no_room
from homing.store.archive.mend import mend
from homing.store.archive.warc import Archive
from homing.store.catalog import schema
from homing.store.catalog.base import Keep
from homing.store.catalog.catalog import Catalog
from homing.store.catalog.database import PATIENCE, ErrorTranslator, open_for_reading, open_for_writing
from homing.store.lock import Lock


def folder_name(topic: str) -> str:
    """Return the default name of a crawl's folder: never a path, only letters, digits and dashes.

    >>> folder_name("../Butterflies & moths"), folder_name("...")
    ('butterflies-moths', 'crawl')
    """
    slug = re.sub(r"[\W_]+", "-", topic.lower()).strip("-")
    return slug[:60].rstrip("-") or "crawl"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of a crawl lies.

    >>> Layout(Path("my-crawl")).database.as_posix()
    'my-crawl/crawl.db'
    """

    root: Path

    @property
    def config(self) -> Path:
        return self.root / "crawl.toml"

    @property
    def database(self) -> Path:
        return self.root / "crawl.db"

    @property
    def topic_pages(self) -> Path:
        """The pages that describe the topic."""
        return self.root / "topic.jsonl"

    @property
    def marked_pages(self) -> dict[str, Path]:
        """Pages that were marked before the crawl began, by what the configuration calls them."""
        return {name: self.root / f"{name}.jsonl" for name in ("examples", "negatives")}

    @property
    def taught_pages(self) -> Path:
        """The pages that people have labelled and that the judge was trained on."""
        return self.root / "taught.jsonl"

    @property
    def topic_model(self) -> Path:
        return self.root / "topic.model"

    @property
    def topic_taxonomy(self) -> Path:
        """The subjects that the judge goes by, if they were given as a file; so for the strategy."""
        return self.root / "topic.taxonomy"

    @property
    def strategy_model(self) -> Path:
        return self.root / "strategy.model"

    @property
    def strategy_taxonomy(self) -> Path:
        return self.root / "strategy.taxonomy"

    @property
    def warc(self) -> Path:
        return self.root / "warc"

    @property
    def index(self) -> Path:
        return self.root / "index"

    @property
    def log(self) -> Path:
        return self.root / "crawl.log"

    @property
    def inbox(self) -> Path:
        return self.root / "inbox.db"

    @property
    def pulse(self) -> Path:
        """What a running crawl publishes while it is watched."""
        return self.root / "pulse.json"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def is_bare(self) -> bool:
        """Whether it has no catalog yet: only marked pages, or the remains of a start killed early."""
        if not self.root.is_dir():
            return True
        beginnings = {self.lock, self.warc, *self.root.glob(f"{self.database.name}{schema.DRAFT}*")}
        beginnings |= {*self.marked_pages.values()}
        return beginnings.issuperset(self.root.iterdir()) and not any(self.warc.glob("*"))


def open_catalog(
    folder: Path,
    *,
    strategy: str,
    judge: str,
    wall: Callable[[], float],
    keep: Keep = "all",
    warc_bytes: int = 1_000_000_000,
    software: str = "homing",
    command: str = "homing crawl",
    patience: float = PATIENCE,
) -> Catalog:
    """Open a crawl for writing, or start one where the folder holds none.

    Locks the folder, checks that the catalog is whole and ours before a byte of it is changed, migrates it to
    the present schema, writes off replies that are not on the disk, and cuts the archive back to what was
    committed.

    Parameters
    ----------
    strategy, judge
        Their names.
    wall
        Returns the seconds since 1970.
    keep
        Which bodies are archived.
    warc_bytes
        Size in bytes at which a new WARC file is started.
    software
        Name and version for the ``warcinfo`` records.
    command
        What other processes are told that find the folder locked.
    patience
        Seconds to wait for another program that has the database locked.
    """
    layout = Layout(folder)
    _make(layout)
    with ExitStack() as undo:
        with ErrorTranslator(layout.database):
            lock = Lock(layout.lock, command=command)
            undo.callback(lock.release)
            if layout.database.exists():
                examine(layout.database)
            else:
                schema.create(layout.database)
            db = open_for_writing(layout.database, patience=patience)
            undo.callback(db.close)
            schema.migrate(db, layout.database)
            mend(db, layout.warc)
            archive = Archive(
                layout.warc,
                committed=dict(db.execute("SELECT file, size FROM archive").fetchall()),
                limit=warc_bytes,
                about={
                    "software": software,
                    "format": "WARC File Format 1.1",
                    "strategy": strategy,
                    "judge": judge,
                },
            )
        catalog = Catalog(db, layout.database, archive, lock, strategy=strategy, keep=keep, wall=wall)
        catalog.note("strategy", strategy)
        catalog.note("judge", judge)
        catalog.commit()
        undo.pop_all()
        return catalog


def examine(database: Path) -> None:
    """Check that a catalog is ours, whole and not too new, without changing it."""
    schema.recognise(database)
    with ErrorTranslator(database), closing(open_for_reading(database)) as db:
        schema.version_of(db, database)
        complaint = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    if complaint != "ok":
        first = " ".join(complaint.split())
        raise DamagedError(
            f"{database} is damaged ({first}); restore it from a copy or choose another folder"
        )


def _make(layout: Layout) -> None:
    """Create the folder, and check that it can be written."""
    try:
        layout.warc.mkdir(parents=True, exist_ok=True)
        for path in (layout.root, layout.warc, layout.database, layout.lock):
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StorageError(no_room(layout.root)) from error
        raise FolderError(
            f"{layout.root} cannot be written ({error.strerror}); choose another folder with --out"
        ) from error
