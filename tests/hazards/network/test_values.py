"""Values that a host gave and gets back, or that its links name: ETag, Last-Modified, hosts, paths.

Expected: what cannot be part of a request is not kept, and not sent where an older crawl has kept it; a URL
that no request can be made for is one failure. Neither ends a crawl or a refresh.
"""

import sqlite3
from contextlib import closing

import pytest
from tests.hazards.hosts import Hosts, http, moved, page

from homing.urls import key

SEED = "http://a.example/"
UNSENDABLE = ['"a\x01b"', '"a\x7f"', "\x0b", '"' + "a" * 20_000 + '"']
LONG_LABEL = "a" * 64


@pytest.mark.parametrize("value", UNSENDABLE, ids=["control", "delete", "tab", "long"])
@pytest.mark.parametrize("name", ["ETag", "Last-Modified"])
def test_a_validator_that_cannot_be_sent_is_not_kept(hosts: Hosts, name: str, value: str) -> None:
    hosts[SEED] = http("<p>page</p>", 200, "text/html", **{name: value})
    hosts.crawl(SEED)
    assert hosts.refresh(SEED)["unchanged"] == 1
    assert hosts.crawl(SEED) == "frontier empty"
    for request in hosts.log:
        assert not {"if-none-match", "if-modified-since"} & request.headers.keys()


@pytest.mark.parametrize("column", ["etag", "last_modified"])
@pytest.mark.parametrize("value", [*UNSENDABLE, "a\r\nX-Forged: yes", "a\x00", "\x9b31m"])
def test_one_that_an_older_version_has_kept_is_not_sent(hosts: Hosts, column: str, value: str) -> None:
    hosts[SEED] = http("<p>page</p>")
    hosts.crawl(SEED)
    with closing(sqlite3.connect(hosts.folder / "crawl.db")) as db, db:
        assert db.execute(f"UPDATE visits SET {column} = ?", (value,)).rowcount == 1
    assert hosts.refresh(SEED)["unchanged"] == 1
    assert len(hosts.requested()) == 2
    assert not {"if-none-match", "if-modified-since", "x-forged"} & hosts.log[-1].headers.keys()


def test_a_url_of_an_older_version_that_no_request_can_be_made_for_is_a_failure(hosts: Hosts) -> None:
    hosts[SEED] = page()
    hosts.crawl(SEED)
    bad = "http://a.example:99999/\r\nX-Forged: yes"
    with closing(sqlite3.connect(hosts.folder / "crawl.db")) as db, db:
        assert db.execute("UPDATE urls SET url = ?, key = ?", (bad, key(bad))).rowcount == 1
    assert hosts.refresh(SEED)["failed"] == 1  # and no other outcome
    assert hosts.crawl(SEED) == "frontier empty"


@pytest.mark.parametrize(
    "link",
    [
        f"https://{LONG_LABEL}.example/",
        "https://.example/",
        "https://a..example/",
        f"https://{'a.' * 130}example/",
        "http://[::1/",
        "http://a.example:99999/",
        "http://a.example/\x01",
    ],
)
@pytest.mark.parametrize("is_proxied", [False, True], ids=["direct", "by a proxy"])
def test_a_link_that_no_request_can_be_made_for_is_one_failure(
    hosts: Hosts, link: str, is_proxied: bool
) -> None:
    hosts[SEED] = page(link, "/next")
    hosts["http://a.example/next"] = page(title="next")
    proxy = {"proxy": f"http://127.0.0.2:{hosts.port}"} if is_proxied else {}
    assert hosts.crawl(SEED, fetch=proxy) == "frontier empty"
    assert "http://a.example/next" in hosts.pages()


def test_a_name_may_end_with_a_dot(hosts: Hosts) -> None:
    hosts[SEED] = moved("http://a.example./")
    assert hosts.crawl(SEED) == "frontier empty"
    assert len(hosts.requested()) > 1, "the other spelling of the name was requested"
