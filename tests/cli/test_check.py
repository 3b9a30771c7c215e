"""``homing check``: damage done to real crawl folders is found, named, passed over and mended.

Covers ``cli.check``, ``crawler.finished.restorable``, ``store.check.catalog``, ``store.check.archive``,
``store.check.index``, ``store.check.states``, ``store.check.mending``, ``store.check.finding``,
``store.index.documents``, ``store.set_aside``.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest
import tantivy
from tests.calling import called
from tests.serve.crawling import RunningCrawl

from homing.store.archive.warc import file_name
from homing.store.folder import Layout
from homing.store.inbox import Inbox
from homing.store.index.fields import make_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Served

PAGES = 30
Done = CompletedProcess[str]


def crawl(folder: Path, served: Served, pages: int, *more: str) -> Done:
    seeds = ("butterfly gardening", *served.web.seeds) if not folder.exists() else ()
    return called("crawl", *seeds, "--out", folder, "--pages", pages, *served.options, *more)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, _served: Served) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "a-crawl"
    done = crawl(folder, _served, PAGES)
    assert done.returncode == 0, done.stderr
    with closing(Inbox(folder)) as inbox:
        inbox.send("pause", {})
        inbox.applied([1], "done")
    return folder


@pytest.fixture
def crawled(whole: Path, tmp_path: Path) -> Path:
    """A crawl that may be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "a-crawl"))


@contextmanager
def rows(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(Layout(folder).database)) as db, db:
        yield db


def place_of(folder: Path, number: int) -> tuple[Path, int, int, str]:
    """The file, offset and length of the response of a relevant page, and its URL."""
    with rows(folder) as db:
        file, offset, length, url = db.execute(
            "SELECT warc_file, warc_offset, warc_length, url FROM visits v JOIN urls USING (seq)"
            " WHERE v.kind = 'page' AND v.score IS NOT NULL ORDER BY id LIMIT 1 OFFSET ?",
            (number,),
        ).fetchone()
    return Layout(folder).warc / file_name(file), offset, length, url


def checked(folder: Path, *options: str) -> dict[str, object]:
    """The result, as JSON, with the exit code."""
    done = called("check", folder, "--json", *options)
    assert not done.stderr, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return {**found, "code": done.returncode}


def problems(folder: Path) -> list[tuple[str, str]]:
    """Part and problem of each finding."""
    found = checked(folder)
    listed = found["findings"]
    assert isinstance(listed, list)
    assert found["whole"] is (not listed)
    assert found["code"] == bool(listed)
    return [(each["part"], each["problem"]) for each in listed]


def flip(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0xFF]))


def flipped_byte(folder: Path) -> str:
    path, offset, length, url = place_of(folder, 5)
    flip(path, offset + length // 2)
    return url


def another_url(folder: Path) -> str:
    """The record of one page in the row of another."""
    _, offset, _, url = place_of(folder, 5)
    _, there, size, _ = place_of(folder, 6)
    with rows(folder) as db:
        db.execute(
            "UPDATE visits SET warc_offset = ?, warc_length = ? WHERE warc_offset = ?", (there, size, offset)
        )
    return url


def beyond_the_end(folder: Path) -> str:
    _, offset, _, url = place_of(folder, 5)
    with rows(folder) as db:
        db.execute("UPDATE visits SET warc_offset = 1000000000 WHERE warc_offset = ?", (offset,))
    return url


def changed_content(folder: Path) -> str:
    """A record that is a whole gzip member, but not what was archived."""
    path, offset, length, url = place_of(folder, 5)
    content = path.read_bytes()
    member = bytearray(gzip.decompress(content[offset : offset + length]))
    member[-300:-100] = b"a" * 200
    # It must have the same length, so that all others stay where they are.
    packed = gzip.compress(member, mtime=0)
    # gzip permits a name of any length in its head, which fills the gap
    packed = packed[:3] + b"\x08" + packed[4:10] + b"n" * (length - len(packed) - 1) + b"\x00" + packed[10:]
    assert len(packed) == length
    path.write_bytes(content[:offset] + packed + content[offset + length :])
    return url


RECORDS = [flipped_byte, another_url, beyond_the_end, changed_content]


def test_a_whole_folder_is_whole_and_nothing_is_written(crawled: Path) -> None:
    before = {path: path.read_bytes() for path in crawled.rglob("*") if path.is_file()}
    found = checked(crawled)
    assert found["whole"] is True
    assert found["code"] == 0
    read = found["read"]
    assert isinstance(read, dict)
    assert read["records"] == 3 * read["visits"] > 3 * PAGES
    assert read["documents"] > 0
    assert {path: path.read_bytes() for path in crawled.rglob("*") if path.is_file()} == before
    done = called("check", crawled)
    assert done.returncode == 0
    assert "is whole" in done.stdout


@pytest.mark.parametrize("damage", RECORDS)
def test_a_damaged_record_is_found_and_its_page_fetched_again(
    crawled: Path, served: Served, damage: Callable[[Path], str]
) -> None:
    url = damage(crawled)
    found = checked(crawled)
    assert found["damaged"] == {"archive": 1}
    assert found["findings"][0]["url"] == url  # type: ignore[index]
    done = called("check", crawled)
    assert done.returncode == 1
    assert url in done.stdout
    assert f"homing check {crawled} --mend" in done.stdout
    mended = checked(crawled, "--mend")
    assert mended["code"] == 0
    assert mended["mended"] == {"pages": 1, "aside": [], "index": False}
    assert problems(crawled) == []
    served.server.log.clear()
    assert crawl(crawled, served, PAGES + 100).returncode == 0  # others may be better
    assert url in served.asked()
    assert problems(crawled) == []


@pytest.mark.parametrize("damage", RECORDS[:3])
def test_readers_pass_over_a_damaged_record_and_name_the_command(
    crawled: Path, damage: Callable[[Path], str]
) -> None:
    url = damage(crawled)
    done = called("export", crawled, "--text")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == PAGES
    assert "1 archived page was left out" in done.stderr
    assert f"homing check {crawled} --mend" in done.stderr
    done = called("index", crawled, "--rebuild")
    assert done.returncode == 0
    assert "--mend" in done.stderr
    done = called("search", crawled, "--text", url)
    assert done.returncode == 2  # it is no longer in the index, and that is said in one line
    assert done.stderr.count("\n") == 1
    shutil.rmtree(Layout(crawled).index)
    done = called("search", crawled, "butterfly")
    assert done.returncode == 0
    assert f"homing check {crawled} --mend" in done.stderr


def test_a_crawl_is_resumed_and_learns_from_what_is_whole(crawled: Path, served: Served) -> None:
    flipped_byte(crawled)
    with rows(crawled) as db:  # it must learn again from the archive
        db.execute("DELETE FROM strategy_state")
    done = crawl(crawled, served, PAGES + 5)
    assert done.returncode == 0
    assert "1 archived page was left out" in done.stderr
    assert "--mend" in done.stderr


def test_a_file_that_is_cut_loses_the_pages_behind(crawled: Path, served: Served) -> None:
    path, offset, _, _ = place_of(crawled, 12)
    os.truncate(path, offset + 100)
    found = [problem for _, problem in problems(crawled)]
    assert any("bytes, and the catalog knows of" in problem for problem in found)
    mended = checked(crawled, "--mend")
    assert mended["code"] == 0
    assert mended["mended"]["pages"] > 10  # type: ignore[index]
    assert problems(crawled) == []
    assert crawl(crawled, served, PAGES).returncode == 0
    assert problems(crawled) == []
    assert len(called("export", crawled, "--format", "urls").stdout.split()) == PAGES


def test_a_file_that_is_missing_stops_a_crawl_until_it_is_mended(crawled: Path, served: Served) -> None:
    for path in Layout(crawled).warc.iterdir():
        path.unlink()
    assert ("archive", "it is missing") in problems(crawled)
    done = crawl(crawled, served, PAGES + 5)
    assert done.returncode == 2
    assert f"homing check {crawled} --mend" in done.stderr
    assert checked(crawled, "--mend")["code"] == 0
    assert crawl(crawled, served, PAGES).returncode == 0
    assert problems(crawled) == []


def test_an_index_that_lacks_a_page_or_has_one_too_many_is_rebuilt(crawled: Path) -> None:
    index = tantivy.Index(make_schema(), path=str(Layout(crawled).index))
    with rows(crawled) as db:
        (seq,) = db.execute(
            "SELECT seq FROM visits WHERE kind = 'page' AND status = 200 AND NOT noindex LIMIT 1"
        ).fetchone()
    writer = index.writer(15_000_000, 1)
    writer.delete_documents_by_term("seq", seq)
    document = tantivy.Document()
    document.add_integer("seq", 999_999)
    writer.add_document(document)
    writer.commit()
    del writer
    assert problems(crawled) == [
        ("index", "it lacks a page"),
        ("index", "it has 1 documents that are no pages of the crawl"),
    ]
    assert checked(crawled, "--mend")["mended"] == {"pages": 0, "aside": [], "index": True}
    assert called("search", crawled, "butterfly").returncode == 0
    assert problems(crawled) == []


STATES = {
    "garbage": b"garbage",
    "no state": b'{"step": 3, "state": []}',
    "another": b'{"step": 3, "state": {"seen": 1}}',
}


@pytest.mark.parametrize("text", [*STATES.values(), None], ids=[*STATES, "a broken array"])
def test_a_strategy_whose_state_is_damaged_learns_again(
    crawled: Path, served: Served, text: bytes | None
) -> None:
    with rows(crawled) as db:
        if text is None:
            (saved,) = db.execute("SELECT text FROM strategy_state").fetchone()
            text = saved.replace(b'"deflate:', b'"deflate:AAAA')
            assert text != saved
        db.execute("DELETE FROM strategy_state")
        db.execute("INSERT INTO strategy_state VALUES (0, ?)", (text,))
    copy = Path(shutil.copytree(crawled, crawled.parent / "copy"))
    done = crawl(crawled, served, PAGES + 5)
    assert done.returncode == 0, done.stderr
    if text != STATES["another"]:  # which is taken for one of another version
        assert [part for part, _ in problems(copy)] == ["strategy"]
        assert "learnt again from the archive" in done.stderr
        assert (crawled / "strategy.state.damaged-1").read_bytes() == text
        assert len(checked(copy, "--mend")["mended"]["aside"]) == 1  # type: ignore[index]
    assert problems(crawled) == problems(copy) == []


def test_a_damaged_ranking_is_set_aside(crawled: Path, served: Served) -> None:
    with rows(crawled) as db:
        db.execute("INSERT OR REPLACE INTO ranking VALUES (0, ?, ?, ?)", (bytes(16), bytes(4), b"odd"))
    assert [part for part, _ in problems(crawled)] == ["ranking"]
    copy = Path(shutil.copytree(crawled, crawled.parent / "copy"))
    assert checked(copy, "--mend")["code"] == 0
    done = crawl(crawled, served, PAGES + 3)
    assert done.returncode == 0, done.stderr
    assert "ranking.state.damaged-1" in done.stderr
    assert (crawled / "ranking.state.damaged-1").read_bytes() == bytes(20) + b"odd"
    assert problems(crawled) == problems(copy) == []


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000, None])
def test_a_damaged_inbox_is_set_aside(crawled: Path, served: Served, content: bytes | None) -> None:
    inbox = Layout(crawled).inbox
    if content is None:
        inbox.unlink()
        with closing(sqlite3.connect(inbox)) as db, db:
            db.execute("CREATE TABLE commands (something_else)")
    else:
        inbox.write_bytes(content)
    before = inbox.read_bytes()
    assert [part for part, _ in problems(crawled)] == ["inbox"]
    done = crawl(crawled, served, PAGES + 3)
    assert done.returncode == 0, done.stderr
    assert "inbox.db.damaged-1" in done.stderr
    assert (crawled / "inbox.db.damaged-1").read_bytes() == before
    assert problems(crawled) == []


def test_a_command_that_is_no_json_is_answered(crawled: Path, served: Served) -> None:
    with closing(sqlite3.connect(Layout(crawled).inbox)) as db, db:
        db.execute("INSERT INTO commands (kind, payload) VALUES ('block', 'garbage')")
    assert crawl(crawled, served, PAGES + 3).returncode == 0
    with closing(Inbox(crawled)) as inbox:
        assert inbox.take() == []


CATALOG = {
    "a visit of a URL that is not known": "UPDATE visits SET seq = 999999 WHERE id = 3",
    "a URL that points at a visit which is not its own": "UPDATE urls SET visit = 999999 WHERE seq = 0",
    "a URL found on a page that is not known": "UPDATE urls SET parent = 999999 WHERE seq = 9",
    "a URL of a host that is not known": "UPDATE urls SET host = 999999 WHERE seq = 9",
    "a label of a URL that is not known": "INSERT INTO labels VALUES (999999, 1, 0)",
    "a fact that cannot be read": "UPDATE facts SET value = '{' WHERE name = 'cut'",
    "reasons that cannot be read": "UPDATE visits SET why = '[' WHERE id = 3",
    "its key is that of another URL": "UPDATE urls SET key = 7 WHERE seq = 9",
    "the URLs from number 9 to 9 are lost": "DELETE FROM urls WHERE seq = 9",
    "they lead to URLs that are not known": "UPDATE links SET targets = x'ffffff7f' WHERE seq = 0",
}


@pytest.mark.parametrize("problem", CATALOG)
def test_rows_that_do_not_fit_each_other_are_found(crawled: Path, problem: str) -> None:
    with rows(crawled) as db:
        db.execute(CATALOG[problem])
    assert ("catalog", problem) in problems(crawled)
    assert "restore it from a copy" in called("check", crawled).stdout


def test_a_broken_database_is_one_finding(crawled: Path) -> None:
    path = Layout(crawled).database
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = os.urandom(len(content) - len(content) // 2)
    path.write_bytes(content)
    assert {part for part, _ in problems(crawled)} <= {"catalog", "topic", "strategy"}
    path.write_bytes(b"garbage")
    assert "catalog" in {part for part, _ in problems(crawled)}


def test_a_damaged_topic_is_found(crawled: Path) -> None:
    Layout(crawled).config.write_text("garbage")
    assert [part for part, _ in problems(crawled)] == ["topic"]


def test_a_running_crawl_is_checked_but_not_mended(tmp_path: Path) -> None:
    folder = tmp_path / "a-crawl"
    running = RunningCrawl(folder)
    try:
        fetched = 0
        while fetched < 50:
            found = checked(folder)
            assert found["whole"] is True, found
            fetched = found["read"].get("visits", 0)  # type: ignore[attr-defined]
        flipped_byte(folder)
        assert checked(folder)["damaged"] == {"archive": 1}
        refused = called("check", folder, "--mend")
        assert refused.returncode == 2
        assert "is being written by process" in refused.stderr
    finally:
        running.stop()


def test_a_folder_that_cannot_be_written_is_checked(whole: Path) -> None:
    place = Path(tempfile.mkdtemp())
    try:
        folder = Path(shutil.copytree(whole, place / "a-crawl"))
        for path in (place, folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        code = os.fork()
        if not code:  # root may write anything
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            try:
                done = called("check", folder)
                os.write(1, (done.stdout + done.stderr).encode())
                os._exit(done.returncode)
            finally:
                os._exit(99)
        assert os.waitstatus_to_exitcode(os.waitpid(code, 0)[1]) == 0
    finally:
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)
        shutil.rmtree(place)


def test_what_is_no_crawl_is_refused(tmp_path: Path) -> None:
    done = called("check", tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
