from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
    person.send("seeds", {"urls": ["https://a.example/ü"]})
    person.close()
    first, second = inbox.take()
    assert (first.kind, second.kind) == ("pause", "seeds")
    assert second.payload == {"urls": ["https://a.example/ü"]}
    assert second.sent_at > 1_700_000_000
    inbox.applied([first.number], "done")
    assert inbox.take() == [second]
    inbox.applied([second.number])
    assert inbox.take() == []


def test_commands_outlive_the_process_that_sent_them(tmp_path: Path) -> None:
    person = Inbox(tmp_path)
    number = person.send("delay", {"host": "a.example", "seconds": 2.5})
    person.close()
    engine = Inbox(tmp_path)
    (wish,) = engine.take()
    assert (wish.number, wish.payload) == (number, {"host": "a.example", "seconds": 2.5})
    engine.close()


def test_an_inbox_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="is no folder"):
        Inbox(tmp_path / "missing")


def test_a_spoilt_inbox_is_reported(tmp_path: Path) -> None:
    (tmp_path / "inbox.db").write_bytes(b"no database " * 100)
    with pytest.raises(DamagedError, match=r"inbox\.db is damaged"):
        Inbox(tmp_path)


def test_what_became_of_a_command_is_told(inbox: Inbox) -> None:
    number = inbox.send("block", {"pattern": "a.example"})
    assert inbox.answer(number) is None
    inbox.applied([number], "done; 3 waiting URLs left the queue")
    assert inbox.answer(number) == "done; 3 waiting URLs left the queue"
    assert inbox.answer(number + 1) is None


def test_old_answers_are_forgotten_but_no_open_command(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.store.inbox.REMEMBERED", 3)
    waits = inbox.send("relearn", {})
    numbers = [inbox.send("watch", {}) for _ in range(10)]
    for number in numbers:
        inbox.applied([number], "done")
    assert [inbox.answer(number) for number in numbers] == [*[None] * 7, *["done"] * 3]
    assert [wish.number for wish in inbox.take()] == [waits]


def test_the_last_commands_are_listed_but_not_those_of_who_only_watches(inbox: Inbox) -> None:
    first = inbox.send("delay", {"seconds": 2})
    inbox.send("watch", {})
    last = inbox.send("pause", {})
    inbox.applied([first], "done")
    assert [(wish.number, wish.note) for wish in inbox.recent(5)] == [(last, None), (first, "done")]
    assert [wish.kind for wish in inbox.recent(1)] == ["pause"]
    found = inbox.find(first)
    assert found is not None
    assert (found.payload, found.note) == ({"seconds": 2}, "done")
    assert inbox.find(last + 1) is None
