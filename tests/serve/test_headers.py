"""The security headers are on every answer: of a route, the guard, ``body_limit``, or the last resort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.serve.serving import TOKEN, serving

from homing.serve.body_limit import LARGEST

GUARDED = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def _fail() -> None:
    raise RuntimeError("a defect")


def _break(app: FastAPI) -> None:
    app.add_api_route("/defect", _fail)


@pytest.fixture(scope="module")
def defective(crawled: Path) -> Iterator[str]:
    """The app with a route that has a defect."""
    with serving(crawled, change=_break) as address:
        yield address


def headers_of(reply: httpx.Response) -> dict[str, str]:
    return {name: reply.headers.get(name, "") for name in GUARDED}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/static/homing.css", 200),
        ("GET", "/static/nothing.css", 404),
        ("POST", "/static/homing.css", 405),
        ("GET", "/api/report", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/nothing", 404),
        ("GET", "/api/nothing", 404),
        ("GET", "/crawls/nothing/", 404),
        ("GET", f"/crawls/{'a' * 300}/", 404),
        ("GET", "/hosts/", 307),
        ("DELETE", "/api/report", 405),
        ("OPTIONS", "/api/report", 405),
        ("GET", "/api/pages?limit=many", 422),
        ("GET", "/pages?after=many", 422),
        ("POST", "/api/commands", 422),
        ("GET", "/defect", 500),
    ],
)
def test_every_answer_has_the_headers(defective: str, method: str, path: str, status: int) -> None:
    reply = httpx.request(method, defective + path, headers={"Authorization": f"Bearer {TOKEN}"})
    assert reply.status_code == status
    assert headers_of(reply) == GUARDED
    assert "Traceback" not in reply.text
    assert "a defect" not in reply.text


def test_a_refused_host_or_token_has_them_too(defective: str) -> None:
    refusals = [
        httpx.get(defective, headers={"Host": "evil.example"}),
        httpx.get(defective, params={"token": "wrong"}),
        httpx.post(f"{defective}/api/commands", json={"kind": "pause"}),
        httpx.post(f"{defective}/api/commands", headers={"Authorization": "Bearer wrong"}),
    ]
    assert [reply.status_code for reply in refusals] == [400, 403, 401, 403]
    assert [headers_of(reply) for reply in refusals] == [GUARDED] * 4


def test_a_method_that_is_not_taken_is_told_which_are(owner: httpx.Client) -> None:
    for path, taken in (("/api/report", "GET"), ("/pages", "GET"), ("/api/commands", "GET, POST")):
        reply = owner.delete(path)
        assert (reply.status_code, reply.headers["allow"]) == (405, taken)


def _pieces() -> Iterator[bytes]:
    for _ in range(LARGEST // 65_536 + 1):
        yield b"a" * 65_536


@pytest.mark.parametrize("path", ["/api/commands", "/new", "/new/candidates", "/steer", "/nothing"])
def test_a_body_that_is_too_large_is_refused(defective: str, path: str) -> None:
    reply = httpx.post(
        defective + path, content=b"a" * (LARGEST + 1), headers={"Authorization": f"Bearer {TOKEN}"}
    )
    assert (reply.status_code, reply.text) == (413, f"the body is too large: at most {LARGEST:,} bytes\n")
    assert headers_of(reply) == GUARDED


@pytest.mark.parametrize(("path", "status"), [("/api/commands", 413), ("/new", 400), ("/steer", 400)])
def test_one_that_does_not_announce_its_size_too(defective: str, path: str, status: int) -> None:
    """Forms have a lower limit of their own for each field."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/x-www-form-urlencoded"}
    reply = httpx.post(defective + path, content=_pieces(), headers=headers)
    assert reply.status_code == status
    assert headers_of(reply) == GUARDED


def test_a_body_is_not_read_for_those_without_the_token(defective: str) -> None:
    assert httpx.post(f"{defective}/new", content=b"a" * (LARGEST + 1)).status_code == 401
