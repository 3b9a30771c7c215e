from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from homing.crawler.live.verbs import read_verb
from homing.errors import DamagedError, FolderError
from homing.store.inbox import Inbox


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[Inbox]:
    inbox = Inbox(tmp_path)
    yield inbox
    inbox.close()


def test_commands_are_taken_in_order_until_they_are_applied(tmp_path: Path, inbox: Inbox) -> None:
    person = Inbox(tmp_path)
    assert inbox.take() == []
    person.send("pause", {})
    person.send("add_seeds", {"urls": ["https://a.example/ü"]})
    person.close()
    first, second = inbox.take()
    assert (first.kind, second.kind) == ("pause", "add_seeds")
    assert second.payload == {"urls": ["https://a.example/ü"]}
    assert second.sent_at > 1_700_000_000
    inbox.applied([first.number], "done")
    assert inbox.take() == [second]
    inbox.applied([second.number])
    assert inbox.take() == []


def test_commands_outlive_the_process_that_sent_them(tmp_path: Path) -> None:
    person = Inbox(tmp_path)
    number = person.send("set_pace", {"delay": 2.5, "pages_per_second": None})
    person.close()
    engine = Inbox(tmp_path)
    (command,) = engine.take()
    assert (command.number, command.payload) == (number, {"delay": 2.5, "pages_per_second": None})
    engine.close()


def test_an_inbox_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="is no folder"):
        Inbox(tmp_path / "missing")


def test_a_damaged_inbox_is_reported(tmp_path: Path) -> None:
    (tmp_path / "inbox.db").write_bytes(b"no database " * 100)
    with pytest.raises(DamagedError, match=r"inbox\.db is damaged"):
        Inbox(tmp_path)


def test_the_result_of_a_command_is_returned(inbox: Inbox) -> None:
    number = inbox.send("block", {"pattern": "a.example"})
    assert inbox.answer(number) is None
    inbox.applied([number], "done; 3 queued URLs removed")
    assert inbox.answer(number) == "done; 3 queued URLs removed"
    assert inbox.answer(number + 1) is None


def test_old_answers_are_forgotten_but_no_open_command(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.store.inbox.REMEMBERED", 3)
    open_one = inbox.send("relearn", {})
    numbers = [inbox.send("snapshot", {}) for _ in range(10)]
    for number in numbers:
        inbox.applied([number], "done")
    assert [inbox.answer(number) for number in numbers] == [*[None] * 7, *["done"] * 3]
    assert [command.number for command in inbox.take()] == [open_one]


def test_the_last_commands_are_listed_without_snapshots(inbox: Inbox) -> None:
    first = inbox.send("set_pace", {"delay": 2})
    inbox.send("snapshot", {})
    last = inbox.send("pause", {})
    inbox.applied([first], "done")
    assert [(command.number, command.note) for command in inbox.recent(5)] == [(last, None), (first, "done")]
    assert [command.kind for command in inbox.recent(1)] == ["pause"]
    found = inbox.find(first)
    assert found is not None
    assert (found.payload, found.note) == ({"delay": 2}, "done")
    assert inbox.find(last + 1) is None


FIRST_VERSION = """
CREATE TABLE wishes (
    id       INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL,
    payload  TEXT NOT NULL,
    sent_at  REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400.0),
    note     TEXT
);
CREATE INDEX wishes_open ON wishes (id) WHERE note IS NULL;
"""


def test_open_commands_of_the_first_version_are_kept_under_their_new_names(tmp_path: Path) -> None:
    sent = [
        ("pause", {}),
        ("go-on", {}),
        ("seeds", {"urls": ["https://a.example/"]}),
        ("block", {"pattern": "b.example"}),
        ("delay", {"seconds": 2.5}),
        ("pages-per-second", {"pages": 5}),
        ("pages-per-second", {"pages": None}),
        ("label", {"url": "https://a.example/", "relevant": True}),
        ("watch", {}),
    ]
    with closing(sqlite3.connect(tmp_path / "inbox.db")) as db, db:
        db.executescript(FIRST_VERSION)
        rows = [(kind, json.dumps(payload)) for kind, payload in sent]
        db.executemany("INSERT INTO wishes (kind, payload) VALUES (?, ?)", rows)
        db.execute("UPDATE wishes SET note = 'done' WHERE id = 1")
    with closing(Inbox(tmp_path)) as inbox, closing(Inbox(tmp_path)) as other:
        commands = inbox.take()
        assert [(each.number, each.kind, each.payload) for each in commands] == [
            (2, "resume", {}),
            (3, "add_seeds", {"urls": ["https://a.example/"]}),
            (4, "block", {"pattern": "b.example"}),
            (5, "set_pace", {"delay": 2.5}),
            (6, "set_pace", {"pages_per_second": 5}),
            (7, "set_pace", {"pages_per_second": None}),
            (8, "label", {"url": "https://a.example/", "relevant": True}),
            (9, "snapshot", {}),
        ]
        for each in commands:
            read_verb(each.kind, each.payload)
        assert inbox.answer(1) == "done"
        assert other.send("stop", {}) == 10
