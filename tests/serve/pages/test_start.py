"""Starting crawls (``launch``, ``candidates``): invalid input is refused, and only the parent folder written.

A crawl started from labelled candidates is in ``test_steer_browser.py``.
"""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path

import httpx
import pytest

from homing.config.keys import find

SEED = "https://a.example/"


def alerts(page: str) -> list[str]:
    return [unescape(said) for said in re.findall(r'role="alert"><bdi>(.*?)</bdi>', page)]


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        ({"topic": " ", "seeds": SEED}, "no topic: say in a few words what to look for"),
        ({"topic": "moths"}, "no seeds: give at least one URL to start from, https://..."),
        ({"topic": "moths", "seeds": "example.org"}, "did you mean https://example.org?"),
        ({"topic": "moths", "seeds": SEED, "pages": "many"}, 'pages must be a whole number, not "many"'),
        ({"topic": "moths", "seeds": SEED, "delay": "-1"}, "delay must be at least 0"),
        ({"topic": "moths", "seeds": SEED, "contact": "me\r\nX: y"}, "contact must not contain line breaks"),
        ({"topic": "moths", "seeds": SEED, "examples": "/etc/passwd"}, '"/etc/passwd" is no URL'),
        ({"topic": "moths", "seeds": SEED, "candidates": "gone"}, "fetch and label them again"),
    ],
)
def test_a_form_that_makes_no_sense_comes_back_with_a_line(
    owner: httpx.Client, crawled: Path, filled: dict[str, str], said: str
) -> None:
    before = set(crawled.parent.iterdir())
    reply = owner.post("/new", data=filled)
    assert reply.status_code == 400
    (line,) = alerts(reply.text)
    assert said in line
    assert filled["topic"] in reply.text
    assert set(crawled.parent.iterdir()) == before


def test_the_form_has_the_help_and_the_bounds_of_the_configuration(owner: httpx.Client) -> None:
    page = owner.get("/new").text
    delay = find("pace", "delay")
    assert delay is not None
    assert unescape(page).count(delay.help) == 1
    assert re.search(r'name="delay" type="number" min="0" max="86400" step="any" value="1"', page)
    assert re.search(r"<option selected>any</option><option>domain</option>", page)


def test_what_the_command_complains_about_is_shown(owner: httpx.Client, crawled: Path) -> None:
    before = set(crawled.parent.iterdir())
    filled = {"topic": "../../moths", "seeds": SEED, "strategy": "nosuch"}
    reply = owner.post("/new", data=filled, follow_redirects=True)
    ends = time.monotonic() + 20
    while not (said := alerts(reply.text)):
        assert time.monotonic() < ends
        time.sleep(0.1)
        reply = owner.get(reply.url)
    assert len(said) == 1
    assert said[0].startswith('there is no strategy "nosuch"; ')
    assert reply.url.path == "/new/started/moths"
    assert set(crawled.parent.iterdir()) == before


def test_candidates_must_be_urls_and_not_too_many(owner: httpx.Client) -> None:
    too_many = "\n".join(f"https://a.example/{number}" for number in range(201))
    for urls in ("", "moths", too_many):
        reply = owner.post("/new/candidates", data={"urls": urls})
        assert reply.status_code == 400
        assert alerts(reply.text)[0].startswith("candidates: ")
    upload = {"file": ("list.txt", b"# results\nftp://a.example/\n", "text/plain")}
    assert 'ftp://a.example/" is no URL' in alerts(owner.post("/new/candidates", files=upload).text)[0]
    assert owner.get("/new/candidates/gone").status_code == 404
    assert owner.get("/new/started/gone").status_code == 404


@pytest.mark.parametrize("name", ["nothing", "%2e%2e", "..%2flittle", ".hidden"])
def test_only_crawls_beside_this_one_are_served(owner: httpx.Client, name: str) -> None:
    assert owner.get(f"/crawls/{name}/", follow_redirects=False).status_code == 404


def test_crawls_beside_this_one_have_the_same_pages(owner: httpx.Client, crawled: Path) -> None:
    (name,) = re.findall(r'href="(/crawls/[^"]*|/)"><bdi>little', owner.get("/new").text)
    assert name == "/"
    below = f"/crawls/{crawled.name}"
    for path in ("/", "/pages", "/hosts", "/search?q=nectar", "/steer", "/api", "/metrics"):
        page = owner.get(below + path)
        assert page.status_code == 200
        links = re.findall(r'(?:href|action|hx-get|hx-post|data-live)="(/[^"]*)"', page.text)
        mine = [link for link in links if not link.startswith(("/static/", "/new", "/lab"))]
        assert [link for link in mine if not link.startswith(below)] == []
    assert owner.get(f"{below}/api/report").json()["fetched"] == owner.get("/api/report").json()["fetched"]
    assert owner.get(f"{below}/api/pages/none").json() == {"detail": "Not Found"}


@pytest.mark.parametrize("path", ["/new", "/new/candidates", "/crawls/little/steer"])
def test_nothing_is_started_without_the_token(client: httpx.Client, path: str) -> None:
    assert client.post(path, data={"topic": "moths", "seeds": SEED}).status_code == 401
