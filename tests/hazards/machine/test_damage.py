"""A disk that has changed bytes of a crawl folder: a record in the middle of the archive, the inbox.

Expected: what can be fetched, learnt or written again stops nothing. A resumed crawl, exports, the index and
relearning leave a damaged page out, count it, and name the command that mends it; a damaged inbox, ranking or
state of the strategy is set aside under another name. ``homing check`` compares archive, catalog, index and
states and says what is damaged and where; with ``--mend`` the pages are fetched again. Every kind of damage:
tests/cli/test_check.py.
"""

import os
import sqlite3
from contextlib import closing

from tests.calling import called
from tests.hazards.hosts import Hosts, page

from homing.store.archive.warc import file_name
from homing.store.folder import Layout

SEED = "http://a.example/"


def test_a_crawl_with_damaged_bytes_goes_on_and_is_mended(hosts: Hosts) -> None:
    hosts[SEED] = page("/one", "/two")
    hosts["http://a.example/one"] = page("/three", title="One")
    hosts["http://a.example/two"] = page(title="Two")
    hosts["http://a.example/three"] = page(title="Three")
    hosts.crawl(SEED, stop={"pages": 3}, fetch={"sitemaps": False})
    layout = Layout(hosts.folder)
    with closing(sqlite3.connect(layout.database)) as db:
        _, second, _ = (offset for (offset,) in db.execute("SELECT warc_offset FROM visits ORDER BY id"))
    path = layout.warc / file_name(1)
    with path.open("r+b") as file:
        file.seek(second + 200)
        noise = os.urandom(8)
        file.write(noise)
    layout.inbox.write_bytes(noise * 1000)
    damaged = called("check", hosts.folder)
    assert damaged.returncode == 1
    assert "http://a.example/one" in damaged.stdout

    hosts.crawl(SEED, stop={"pages": 4}, fetch={"sitemaps": False})
    assert "http://a.example/three" in hosts.pages()
    assert layout.inbox.with_name("inbox.db.damaged-1").read_bytes() == noise * 1000

    assert called("check", hosts.folder, "--mend").returncode == 0
    hosts.crawl(SEED, stop={"pages": 4}, fetch={"sitemaps": False})
    assert called("check", hosts.folder).returncode == 0
    assert list(hosts.pages()).count("http://a.example/one") == 1
