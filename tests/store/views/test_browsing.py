"""Screens of a crawl, on a catalog that is made for the awkward cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from homing import urls
from homing.model import Entry, Failure, Host, Judgement, Page, Priority, Reply, Standing
from homing.ports import NewVisit
from homing.store.folder import open_catalog
from homing.store.views.browsing import Browser, PageFilter

COUNT = 300
"""Numbers need two bytes: 256 is 00 01 00 00, and so is a piece of (65536, 1)."""


def url(seq: int) -> str:
    return f"http://h{seq % 3}.example/{seq}"


def entry(seq: int) -> Entry:
    return Entry(key=urls.key(url(seq)), url=url(seq), priority=Priority(score=0.5), seq=seq)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Sixty pages of three hosts, many with equal scores; the others are queued, and three have failed."""
    path = tmp_path / "crawl"
    store = open_catalog(path, strategy="best-first", judge="keywords", wall=lambda: 1_700_000_000.0)
    store.add_hosts([Host(number=number, name=f"h{number}.example") for number in range(3)])
    store.add([entry(seq) for seq in range(COUNT)], [seq % 3 for seq in range(COUNT)])
    for seq in range(60):
        score = seq % 5 / 4
        status = 404 if seq % 10 == 9 else 200
        store.keep(
            NewVisit(
                reply=Reply(url=url(seq), final_url=url(seq), status=status, requested_at=float(seq)),
                entry=entry(seq),
                step=seq + 1,
                standing=Standing.DONE,
                page=Page(url=url(seq), title=f"Page {seq}"),
                judgement=Judgement(score=score, relevant=score >= 0.5, judge="keywords"),
            )
        )
    store.link(0, [1, 2, 256])
    store.link(1, [256])
    store.link(2, [65536, 1])
    for seq in (60, 61, 61, 62):
        failure = Failure(url=url(seq), kind="dns" if seq == 60 else "timeout", detail=f"of {seq}")
        store.settle(entry(seq), Standing.FAILED, failure)
    store.note("stop_reason", "")
    store.commit()
    store.close()
    return path


@pytest.fixture
def browser(folder: Path) -> Iterator[Browser]:
    with Browser(folder) as browser:
        yield browser


@pytest.mark.parametrize("limit", [1, 7, 60, 61])
@pytest.mark.parametrize(
    "choice",
    [
        PageFilter(),
        PageFilter(order="best"),
        PageFilter(relevant=True, order="best"),
        PageFilter(relevant=False),
        PageFilter(host=1, order="best"),
        PageFilter(ok=False),
    ],
    ids=repr,
)
def test_screens_follow_each_other_without_a_gap(browser: Browser, choice: PageFilter, limit: int) -> None:
    seen, last = list[int](), None
    while screen := browser.screen(choice, last, limit):
        seen += [row.seq for row in screen]
        last = screen[-1]
    wanted = [
        row
        for row in browser.pages()
        if choice.relevant in (None, row.relevant)
        and choice.host in (None, row.seq % 3)
        and choice.ok in (None, row.status < 400)
    ]
    if choice.order == "best":
        wanted.sort(key=lambda row: (-(row.score or 0.0), row.step))
    else:
        wanted.reverse()
    assert seen == [row.seq for row in wanted]


def test_a_number_that_only_seems_to_be_among_the_links_is_not(browser: Browser) -> None:
    assert [each.seq for each in browser.linking_to(256)] == [0, 1]
    assert [each.seq for each in browser.linking_to(1)] == [0, 2]
    assert browser.linking_to(5) == []


def test_neighbours_tell_how_they_stand(browser: Browser) -> None:
    first, second, waiting = browser.linked_from(0)
    assert (first.title, first.score, first.relevant) == ("Page 1", 0.25, False)
    assert (second.standing, second.relevant) == (Standing.DONE, True)
    assert (waiting.standing, waiting.score) == (Standing.WAITING, None)


def test_hosts_tell_how_their_urls_stand(browser: Browser) -> None:
    host = browser.host("h1.example")
    assert host is not None
    assert browser.standings(host.number) == {
        Standing.DONE: 20,
        Standing.FAILED: 1,
        Standing.WAITING: COUNT // 3 - 21,
    }
    assert browser.host("h1") is None


def test_failures_come_last_first_and_go_on(browser: Browser) -> None:
    everything = browser.failures()
    assert [each.seq for each in everything] == [62, 61, 61, 60]
    assert browser.failures(before=everything[1].number) == everything[2:]
    assert [each.seq for each in browser.failures(kind="dns")] == [60]
    assert [each.seq for each in browser.failures(host=1)] == [61, 61]


def test_who_follows_sees_each_visit_once(browser: Browser) -> None:
    first = browser.arrived(0)
    assert [each.host for each in first] == [seq % 3 for seq in range(60)]
    assert browser.arrived(first[40].number) == first[41:]
    assert browser.frontier() == browser.figures()["frontier"]
    assert browser.abandoned() == browser.figures()["failed"] == {"timeout": 2, "dns": 1}
