"""Webs are recorded whole or not at all, and parsed again when the parser is another."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import zstandard
from tests.lab.conftest import html

from homing.errors import DamagedError, FolderError, StorageError, UsageError
from homing.lab.web import parsing
from homing.lab.web.recorded import FILE, RecordedWeb
from homing.lab.web.recording import record, recorded, refresh
from homing.model import Page, Reply
from homing.parse import PageParser
from homing.records import Record

SITE = "http://a.example"


def answer(path: str, status: int, *headers: tuple[str, str], body: bytes = b"") -> Record:
    url = SITE + path
    return Record(reply=Reply(url=url, final_url=url, status=status, headers=headers, body=body))


def edges(web: RecordedWeb) -> set[tuple[str, str]]:
    names = [url.removeprefix(SITE) for url in web]
    return {(names[here], names[there]) for here, there in zip(*map(list, web.links()), strict=True)}


def test_links_redirects_and_what_lies_outside_are_told_apart(tmp_path: Path) -> None:
    records = [
        html(f"{SITE}/", "/a", "/old", "/nowhere", labels=("x",)),
        answer("/old", 301, ("Location", "a")),
        html(f"{SITE}/a", "/", "/a#here", labels=("x", "y.z")),
        answer("/error", 500, body=b'<a href="/">home</a>'),
        html(f"{SITE}/a", "/error"),
        html("mailto:somebody@a.example"),
    ]
    told = record(records, tmp_path / "web", source="me")
    with RecordedWeb(tmp_path / "web") as web:
        assert edges(web) == {("/", "/a"), ("/", "/old"), ("/old", "/a"), ("/a", "/")}
        assert web.labelled("y") == [f"{SITE}/a"]
        assert web.facts["source"] == "me"
    assert (told.replies, told.pages, told.links, told.outside) == (4, 2, 4, 1)
    assert (told.hosts, told.labels, told.skipped) == (1, 2, 2)
    assert told.size == (tmp_path / "web" / FILE).stat().st_size
    assert recorded(tmp_path / "web") == told


def test_a_page_counts_more_than_an_error_that_came_before(tmp_path: Path) -> None:
    failed, page = answer("/a", 503, body=b"busy"), html(f"{SITE}/a", words="moth")
    told = record([failed, page, failed, html(f"{SITE}/a", words="later")], tmp_path / "web")
    assert (told.replies, told.pages, told.skipped) == (1, 1, 2)
    record([page], tmp_path / "once")
    with RecordedWeb(tmp_path / "web") as web, RecordedWeb(tmp_path / "once") as once:
        assert web.page(f"{SITE}/a").title == "moth"
        assert web.digest == once.digest, "only what stands in the end counts"


def test_a_page_whose_author_wants_no_robots_to_follow_leads_nowhere(tmp_path: Path) -> None:
    body = b'<meta name=robots content=nofollow><a href="/b">b</a>'
    kind = ("Content-Type", "text/html")
    told = record(
        [
            answer("/a", 200, kind, body=body),
            answer("/b", 200, kind, ("X-Robots-Tag", "nofollow"), body=body[38:]),
        ],
        tmp_path / "web",
    )
    assert (told.links, told.outside) == (0, 0)


def test_other_names_of_pages_lead_to_them(tmp_path: Path) -> None:
    links = ("/ann", "/bob/index.html", "/eve/", "/dan//", "/who", "/x?y=/")
    pages = ("/ann/", "/bob", "/eve/index.htm", "/dan/", "/x?y=")
    records = [html(f"{SITE}/", *links), *(html(SITE + path) for path in pages)]
    record(records, tmp_path / "web")
    with RecordedWeb(tmp_path / "web") as web:
        assert edges(web) == {
            ("/", "/ann"),
            ("/ann", "/ann/"),
            ("/", "/bob/index.html"),
            ("/bob/index.html", "/bob"),
            ("/", "/eve/"),
            ("/eve/", "/eve/index.htm"),
            ("/", "/dan//"),
            ("/dan//", "/dan/"),
        }
        assert [url.removeprefix(SITE) for url in web][-4:] == ["/ann", "/bob/index.html", "/eve/", "/dan//"]


def test_what_matches_is_cut_out_of_every_page(tmp_path: Path) -> None:
    page = answer("/", 200, ("Content-Type", "text/html"), body=b"<p>moths<b>subject:\n Moths</b> fly</p>")
    record([page], tmp_path / "web", cut="<b>subject:.*?</b>")
    with RecordedWeb(tmp_path / "web") as web:
        reply = web.reply(f"{SITE}/", with_body=True)
        assert reply is not None
        assert reply.body == b"<p>moths fly</p>"
        assert web.page(f"{SITE}/").text == "moths fly"


def test_the_number_of_processes_makes_no_difference(tmp_path: Path) -> None:
    records = [html(f"{SITE}/{n}", f"/{n * 7 % 200}", f"/{n}/", words=f"page {n}") for n in range(200)]
    records[50:50] = [answer("/error", 404), answer("/there", 302, ("Location", "/7"))]
    told = [record(records, tmp_path / str(count), processes=count) for count in (1, 2)]
    assert told[0].pages == 200 > parsing._FEW
    with RecordedWeb(tmp_path / "1") as one, RecordedWeb(tmp_path / "2") as two:
        assert list(one) == list(two)
        assert one.facts == two.facts
        assert [list(each) for each in one.links()] == [list(each) for each in two.links()]
        for url in one:
            assert one.reply(url, with_body=True) == two.reply(url, with_body=True)
            assert not one.has_page(url) or one.page(url) == two.page(url)


def test_text_that_is_no_text_does_no_harm(tmp_path: Path) -> None:
    odd = answer("/", 200, ("X-Odd", "a\udcff"), ("Content-Type", "text/html"), body=b"\xff\xfe\x00")
    labelled = Record(reply=odd.reply, labels=("\ud800bees",))
    record([labelled, answer("/\ud800", 404)], tmp_path / "web")
    with RecordedWeb(tmp_path / "web") as web:
        assert web.labels == {f"{SITE}/": ("?bees",)}


@pytest.mark.parametrize("reason", [KeyboardInterrupt, RuntimeError])
def test_a_web_that_is_not_finished_leaves_nothing_behind(
    tmp_path: Path, reason: type[BaseException]
) -> None:
    def some() -> Iterator[Record]:
        yield html(f"{SITE}/")
        raise reason

    with pytest.raises(reason):
        record(some(), tmp_path / "deep" / "web")
    assert not (tmp_path / "deep" / "web").exists()


def test_a_source_with_nothing_in_it_makes_no_web(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing was recorded"):
        record([html("ftp://a.example/")], tmp_path / "web")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    records = [answer(f"/{n}", 404, body=Random(n).randbytes(100_000)) for n in range(50)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        with pytest.raises(StorageError):
            record(records, tmp_path / "web")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    record([html(f"{SITE}/")], tmp_path / "web")
    (tmp_path / "file").write_text("mine")
    for name, words in (
        ("web", "holds a recorded web already"),
        ("file", "is there already"),
        (".", "no empty"),
    ):
        with pytest.raises(FolderError, match=words):
            record([html(f"{SITE}/")], tmp_path / name)
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / f"{FILE}.part").write_text("of a run that was killed")
    record([html(f"{SITE}/")], tmp_path / "left")
    assert [path.name for path in (tmp_path / "left").iterdir()] == [FILE]


def test_a_pattern_that_is_none_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--cut is no regular expression: "):
        record([html(f"{SITE}/")], tmp_path / "web", cut="(")
    assert list(tmp_path.iterdir()) == []


def test_a_web_is_parsed_again_when_the_parser_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "web"
    records = [
        html(f"{SITE}/", "/a", "/b", labels=("x",)),
        html(f"{SITE}/a/", words="moth"),
        answer("/c", 404, body=b"no"),
    ]
    before = record([*records, records[0]], folder, source="me", cut="nothing")
    with RecordedWeb(folder) as web:
        facts = web.facts
    assert refresh(folder) is False
    with sqlite3.connect(folder / FILE) as db:
        db.execute("""UPDATE facts SET value = '"older"' WHERE name = 'parser'""")
    db.close()
    assert refresh(folder) is True
    with RecordedWeb(folder) as web:
        assert web.facts == facts
    assert recorded(folder) == before

    def without_links(self: PageParser, reply: Reply) -> Page:
        return Page(url=reply.final_url, title="anew")

    monkeypatch.setattr(PageParser, "read", without_links)
    monkeypatch.setattr("homing.lab.web.recording.parser_digest", lambda: "newer")
    assert refresh(folder) is True
    with RecordedWeb(folder) as web:
        assert [url.removeprefix(SITE) for url in web] == ["/", "/a/", "/c"], "/a is no longer linked to"
        assert web.page(f"{SITE}/").title == "anew"
        assert web.labelled("x") == [f"{SITE}/"]
        assert (web.facts["cut"], web.facts["skipped"]) == ("nothing", 1)
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize("packed", [zstandard.ZstdCompressor().compress(bytes(129 * 2**20)), b"moths"])
def test_what_cannot_be_unpacked_is_refused_in_one_line(tmp_path: Path, packed: bytes) -> None:
    record([html(f"{SITE}/", "/a"), html(f"{SITE}/a")], tmp_path / "web")
    with closing(sqlite3.connect(tmp_path / "web" / FILE)) as db, db:
        db.execute("UPDATE pages SET page = ?", (packed,))
        db.execute("UPDATE bodies SET body = ?", (packed,))
    with RecordedWeb(tmp_path / "web") as web:
        with pytest.raises(DamagedError, match=r"web\.db is damaged \(it .*\); import the web again"):
            web.page(f"{SITE}/a")
        with pytest.raises(DamagedError, match=r"web\.db is damaged"):
            web.reply(f"{SITE}/a", with_body=True)
