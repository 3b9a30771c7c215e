"""``crawl.log``: the events of a crawl, one a line."""

from __future__ import annotations

from collections.abc import Callable
from os import SEEK_END
from pathlib import Path

import orjson

from homing.crawler.events import Answered, Event, Missed, Noted, Postponed, Redirected, Visited
from homing.store.catalog.database import storage_error


class Log:
    """Writes one JSON object a line, for people with grep and for machines.

    It is not buffered: what was committed before a crash must be in the log, too. A line that a crash or a
    full disk has cut short is ended when the file is opened again.
    """

    def __init__(self, path: Path, wall: Callable[[], float]) -> None:
        self._path = path
        self._wall = wall
        try:
            self._file = path.open("a+b", buffering=0)
            if self._file.seek(0, SEEK_END):
                self._file.seek(-1, SEEK_END)
                if self._file.read() != b"\n":
                    self._file.write(b"\n")
        except OSError as error:
            raise storage_error(error, path) from error

    def __call__(self, event: Event) -> None:
        """Append an event."""
        facts = {"at": round(self._wall(), 3), "event": type(event).__name__.lower(), **_facts(event)}
        line = orjson.dumps(facts, option=orjson.OPT_APPEND_NEWLINE)
        try:
            while line:  # a disk that fills up takes a part before it refuses
                line = line[self._file.write(line) :]
        except OSError as error:
            raise storage_error(error, self._path) from error

    def close(self) -> None:
        self._file.close()


def _facts(event: Event) -> dict[str, object]:
    match event:
        case Visited(visit=visit, reply=reply):
            return {
                "step": visit.step,
                "url": visit.entry.url,
                "status": reply.status,
                "score": round(visit.judgement.score, 4),
                "relevant": visit.judgement.relevant,
                "depth": visit.entry.depth,
                "priority": [visit.entry.priority.tier, visit.entry.priority.score],
            }
        case Answered(entry=entry, reply=reply, step=step):
            return {"step": step, "url": entry.url, "status": reply.status}
        case Redirected(entry=entry, status=status, target=target):
            return {"url": entry.url, "status": status, "target": target}
        case Missed(entry=entry, failure=failure):
            return {"url": entry.url, "kind": failure.kind, "detail": failure.detail}
        case Postponed(entry=entry, failure=failure):
            return {
                "url": entry.url,
                "kind": failure.kind,
                "detail": failure.detail,
                "retry_in": failure.retry_in,
            }
        case Noted(name=name, detail=detail):
            return {"event": name, "detail": detail}
