"""A power cut, after which the archive is shorter than the catalog says, or ends in noise.

Records reach the disk before the transaction that points at them; but disks lie, and copies are cut short.
Expected: a start writes off exactly the replies whose records are not whole, and cuts the file behind the
last whole one. Their URLs are queued again as before and fetched once more; what was found on them stays
known. Tried at every byte of the last two replies, which are three records each.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.hazards.hosts import Hosts, http, moved, page
from tests.hazards.machine.sound import assert_sound, holdings

from homing.store.archive.mend import end_of_reply, mend
from homing.store.archive.warc import file_name
from homing.store.catalog.database import open_for_writing
from homing.store.folder import Layout, open_catalog

SEED = "http://a.example/"
PAGES = [SEED, *(f"http://a.example/{name}" for name in ("one", "two", "three"))]
Mend = Callable[[], tuple[int, list[str], int]]


@pytest.fixture
def crawled(hosts: Hosts) -> Hosts:
    """A crawl of a seed and three pages, the last of which links to one that does not exist."""
    hosts[SEED] = page("/one", "/two")
    hosts[PAGES[1]] = page("/three", title="One")
    hosts[PAGES[2]] = page(title="Two")
    hosts[PAGES[3]] = page("http://b.example/new", title="Three")
    hosts.crawl(SEED, stop={"pages": 4}, fetch={"sitemaps": False})
    assert list(hosts.pages()) == PAGES
    return hosts


def archive(folder: Path) -> Path:
    return Layout(folder).warc / file_name(1)


def offsets(folder: Path) -> list[int]:
    """Return where each reply begins."""
    with closing(sqlite3.connect(Layout(folder).database)) as db:
        return [offset for (offset,) in db.execute("SELECT warc_offset FROM visits ORDER BY id")]


@pytest.fixture
def mended(crawled: Hosts) -> Mend:
    """Mend a copy of the catalog; return replies lost, pages left, and valid bytes of the archive."""
    database = Layout(crawled.folder).database
    with closing(open_for_writing(database)) as db:  # all in one file, to be copied
        db.execute("PRAGMA journal_mode = DELETE")
    whole = database.read_bytes()

    def mended() -> tuple[int, list[str], int]:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            db.deserialize(whole)
            lost = mend(db, Layout(crawled.folder).warc)
            visits = "SELECT url FROM visits v JOIN urls USING (seq) WHERE v.kind <> 'lost' ORDER BY id"
            urls = [url for (url,) in db.execute(visits)]
            queued = {url for (url,) in db.execute("SELECT url FROM urls WHERE standing = 0")}
            (size,) = db.execute("SELECT sum(size) FROM archive").fetchone()
        assert queued == {"http://b.example/new"} | set(PAGES) - set(urls)
        return lost, urls, size or 0

    return mended


def test_cut_at_every_byte_of_the_last_two_replies_it_loses_these_and_no_more(
    crawled: Hosts, mended: Mend
) -> None:
    path = archive(crawled.folder)
    size = path.stat().st_size
    *_, second, last = offsets(crawled.folder)
    assert size - second > 1_000
    assert mended() == (0, PAGES, size)
    for cut in range(size - 1, second - 1, -1):
        os.truncate(path, cut)
        assert mended() == ((1, PAGES[:3], last) if cut >= last else (2, PAGES[:2], second))


def test_noise_in_place_of_the_last_reply_is_found_too(crawled: Hosts, mended: Mend) -> None:
    path = archive(crawled.folder)
    content = path.read_bytes()
    last = offsets(crawled.folder)[-1]
    for noise in (bytes(len(content) - last), content[last:-1] + b"!"):
        path.write_bytes(content[:last] + noise)
        assert mended() == (1, PAGES[:3], last)


@pytest.mark.parametrize("left", [0, 10])
def test_a_file_without_a_whole_reply_is_started_again(crawled: Hosts, mended: Mend, left: int) -> None:
    os.truncate(archive(crawled.folder), left and offsets(crawled.folder)[0] + left)
    assert mended() == (4, [], 0)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.999])
def test_a_crawl_whose_archive_was_cut_resumes_and_fetches_again_what_was_lost(
    crawled: Hosts, share: float
) -> None:
    path = archive(crawled.folder)
    begins = offsets(crawled.folder)[2]
    known = holdings(crawled.folder).known
    os.truncate(path, begins + int(share * (path.stat().st_size - begins)))
    crawled.log.clear()
    crawled["b.example"] = page()
    assert crawled.crawl(SEED, fetch={"sitemaps": False}) == "frontier empty"
    requested = crawled.requested()
    assert set(requested) - {"http://b.example/new"} <= set(PAGES[2:])
    assert PAGES[3] in requested
    assert sorted(requested) == sorted(set(requested))
    assert known <= holdings(crawled.folder).known
    assert set(crawled.pages()) == {*PAGES, "http://b.example/new"}
    assert_sound(crawled.folder)


def test_what_is_written_off_is_queued_with_the_priority_it_had(crawled: Hosts) -> None:
    folder = crawled.folder
    query = "SELECT tier, priority, priority_why FROM visits WHERE id = 4"
    with closing(sqlite3.connect(Layout(folder).database)) as db:
        taken = db.execute(query).fetchone()
        (before,) = db.execute("SELECT asked FROM hosts WHERE name = 'a.example'").fetchone()
    path = archive(folder)
    os.truncate(path, path.stat().st_size - 1)
    open_catalog(folder, strategy="any", judge="any", wall=lambda: 0.0).close()
    with closing(sqlite3.connect(Layout(folder).database)) as db:
        queued = db.execute("SELECT tier, score, why FROM urls WHERE url = ?", (PAGES[3],)).fetchone()
        (left,) = db.execute("SELECT asked FROM hosts WHERE name = 'a.example'").fetchone()
    assert queued == taken
    assert left == before - 1


def test_redirects_and_errors_that_were_lost_are_requested_again(hosts: Hosts) -> None:
    hosts[SEED] = page("/moved", "/gone")
    hosts["http://a.example/moved"] = moved("/there")
    hosts["http://a.example/there"] = page()
    hosts["http://a.example/gone"] = http(status=410)
    hosts.crawl(SEED, fetch={"sitemaps": False})
    pages = set(hosts.pages())
    path = archive(hosts.folder)
    ends = end_of_reply(path, offsets(hosts.folder)[0])
    assert ends is not None
    os.truncate(path, ends)
    hosts.log.clear()
    hosts.crawl(SEED, fetch={"sitemaps": False})
    assert sorted(hosts.requested()) == [
        "http://a.example/gone",
        "http://a.example/moved",
        "http://a.example/there",
    ]
    assert set(hosts.pages()) == pages
    assert_sound(hosts.folder)
