"""Access control: which requests are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.serve.serving import TOKEN, serving


def port(address: str) -> str:
    return address.rpartition(":")[2]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "[::2]"])
def test_a_name_that_is_not_ours_is_refused(client: httpx.Client, host: str) -> None:
    reply = client.get("/", headers={"Host": host})
    assert reply.status_code == 400
    assert "--allow-host" in reply.text
    assert len(reply.text.splitlines()) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8765"])
def test_the_names_of_loopback_are_ours(client: httpx.Client, host: str) -> None:
    assert client.get("/api/report", headers={"Host": host}).status_code == 200


def test_another_name_can_be_allowed(crawled: Path) -> None:
    with serving(crawled, allowed_hosts=["crawl.example"]) as address:
        assert httpx.get(address, headers={"Host": "crawl.example"}).status_code == 200
        assert httpx.get(address).status_code == 400


def test_every_answer_tells_the_browser_to_be_careful(client: httpx.Client) -> None:
    for path in ("/", "/api/report", "/static/homing.js", "/pages/999999", "/metrics"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';"), path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_the_printed_address_becomes_a_cookie_and_a_clean_address(client: httpx.Client, address: str) -> None:
    reply = client.get("/pages", params={"order": "best", "token": TOKEN, "host": "a&b"})
    assert reply.status_code == 303
    assert reply.headers["location"] == "/pages?order=best&host=a%26b"
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"homing-{port(address)}={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_the_printed_address_does_not_lead_elsewhere(client: httpx.Client, address: str) -> None:
    reply = client.get(f"{address}//evil.example/?token={TOKEN}")
    assert reply.headers["location"] == "/evil.example/"


def test_a_wrong_token_in_the_address_is_reported(client: httpx.Client) -> None:
    reply = client.get("/", params={"token": "wrong"})
    assert (reply.status_code, "set-cookie" in reply.headers) == (403, False)
    assert "not the token" in reply.text


def test_a_change_without_the_token_is_refused(client: httpx.Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "WHATEVER"):
        reply = client.request(method, "/api/report")
        assert reply.status_code == 401, method
        assert reply.headers["www-authenticate"] == "Bearer"
        assert "token" in reply.text


def test_a_change_with_a_wrong_token_is_refused(client: httpx.Client) -> None:
    for given in ("wrong", TOKEN[:-1], TOKEN + "x", "größe"):
        headers = {b"Authorization": f"Bearer {given}".encode()}
        assert client.post("/api/report", headers=headers).status_code == 403


def test_a_change_with_the_token_passes_the_guard(owner: httpx.Client) -> None:
    assert owner.post("/api/report").status_code == 405  # the route's own answer: it takes no POST


def test_a_cookie_counts_only_on_our_own_pages(client: httpx.Client, address: str) -> None:
    cookie = {"Cookie": f"homing-{port(address)}={TOKEN}"}
    for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": address + "0"}):
        reply = client.post("/api/report", headers=cookie | origin)
        assert reply.status_code == 403, origin
        assert "own pages" in reply.text
    assert client.post("/api/report", headers=cookie | {"Origin": address}).status_code == 405


def test_the_cookie_of_an_app_on_another_port_does_not_count(client: httpx.Client, address: str) -> None:
    headers = {"Cookie": f"homing-1={TOKEN}", "Origin": address}
    assert client.post("/api/report", headers=headers).status_code == 401


@pytest.fixture
def exposed(crawled: Path) -> Iterator[str]:
    """The app as it is when it is bound to more than loopback."""
    with serving(crawled, open_to_read=False) as address:
        yield address


def test_beyond_loopback_reading_needs_the_token_as_well(exposed: str) -> None:
    for path in ("/", "/events", "/api/report", "/metrics", "/search?q=moth", "/static/homing.js"):
        assert httpx.get(exposed + path).status_code == 401, path
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(exposed + "/metrics", headers=headers).status_code == 200
    with httpx.Client(base_url=exposed, follow_redirects=True) as visitor:
        assert visitor.get("/", params={"token": TOKEN}).status_code == 200
        assert visitor.get("/pages").status_code == 200
