"""A recorded web is given back over HTTP as it was recorded."""

from __future__ import annotations

import asyncio
import http.client
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from homing.errors import UsageError
from homing.lab.web.recording import record
from homing.lab.web.server import serve
from homing.model import Reply
from homing.records import Record

Answer = tuple[int, Mapping[str, str], bytes]
Ask = Callable[..., Answer]

HTML = ("Content-Type", "text/html; charset=iso-8859-1")


def answer(url: str, status: int, *headers: tuple[str, str], body: bytes = b"") -> Record:
    return Record(reply=Reply(url=url, final_url=url, status=status, headers=headers, body=body))


RECORDS = [
    answer(
        "http://a.example/b?c=d",
        200,
        HTML,
        ("Content-Encoding", "gzip"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "7"),
        ("Connection", "upgrade"),
        ("Set-Cookie", "x=y"),
        ("X-Robots-Tag", "noindex\r\nX-Smuggled: 1"),
        ("Link", "</ü>; rel=x"),
        body=b"<p>caf\xe9</p>",
    ),
    answer("http://a.example/robots.txt", 200, body=b"User-agent: *\nDisallow: /"),
    answer("http://a.example/old", 302, ("Location", "http://b.example/"), body=b"moved"),
    answer("http://a.example:8080/", 200, HTML, body=b"another port"),
    answer("http://a.example/gone", 410, HTML, body=b"gone"),
    answer("http://a.example/teapot", 999, HTML, body=b"go away"),
    answer("http://a.example/nothing", 204, HTML),
    answer("https://s.example/only", 200, HTML, body=b"secure"),
    answer("http://s.example/both", 301, ("Location", "https://s.example/both")),
    answer("https://s.example/both", 200, HTML, body=b"behind the redirect"),
    answer("http://s.example/apart", 200, HTML, body=b"plain"),
    answer("https://s.example/apart", 200, HTML, body=b"secure"),
]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("webs") / "web"
    record(RECORDS, folder)
    return folder


def during(web: Path, visit: Callable[[Ask], None]) -> None:
    async def run() -> None:
        async with serve(web) as server:
            connection = http.client.HTTPConnection(server.address, timeout=10)

            def ask(host: str, target: str, method: str = "GET") -> Answer:
                connection.putrequest(method, target, skip_host=True)
                connection.putheader("Host", host)
                connection.endheaders()
                reply = connection.getresponse()
                return reply.status, dict(reply.headers), reply.read()

            await asyncio.to_thread(visit, ask)
            connection.close()

    asyncio.run(run())


def test_pages_come_with_their_status_type_and_body_and_nothing_of_the_old_connection(web: Path) -> None:
    def visit(ask: Ask) -> None:
        status, headers, body = ask("a.example", "/b?c=d")
        assert (status, body) == (200, b"<p>caf\xe9</p>")
        assert headers.keys() == {"Content-Type", "X-Robots-Tag", "Link", "Content-Length", "Connection"}
        assert headers["Content-Type"] == HTML[1]
        assert headers["Content-Length"] == "11"
        assert headers["X-Robots-Tag"] == "noindex  X-Smuggled: 1"
        assert ask("A.Example", "/b?c=d", "HEAD") == (200, headers, b"")
        assert ask("a.example:8080", "/")[2] == b"another port"
        assert ask("a.example", "/gone")[::2] == (410, b"gone")
        assert ask("a.example", "/teapot")[::2] == (999, b"go away")
        assert ask("a.example", "/nothing")[::2] == (204, b"")
        assert ask("a.example", "/b?c=d#x&utm_source=y")[2] == body

    during(web, visit)


def test_redirects_lead_on_and_what_was_not_recorded_is_not_found(web: Path) -> None:
    def visit(ask: Ask) -> None:
        status, headers, body = ask("a.example", "/old")
        assert (status, headers["Location"], body) == (302, "http://b.example/", b"moved")
        for host, target in (("a.example", "/"), ("b.example", "/"), ("", "/b?c=d"), ("a b", "/")):
            status, headers, body = ask(host, target) if host else ask("a.example:81", target)
            assert (status, body) == (404, b"This was not recorded.\n")

    during(web, visit)


def test_robots_are_never_kept_from_what_was_recorded(web: Path) -> None:
    during(web, lambda ask: _same(ask("a.example", "/robots.txt")[0], 404))


def test_the_whole_url_may_be_asked_for_as_of_a_proxy(web: Path) -> None:
    def visit(ask: Ask) -> None:
        assert ask("elsewhere.example", "http://a.example/b?c=d")[0] == 200
        assert ask("elsewhere.example", "http://a.example:8080/")[2] == b"another port"
        assert ask("elsewhere.example", "https://s.example/only")[2] == b"secure"

    during(web, visit)


def test_secure_pages_are_given_in_plain_http_and_redirects_to_them_are_passed_over(web: Path) -> None:
    def visit(ask: Ask) -> None:
        assert ask("s.example", "/only")[::2] == (200, b"secure")
        assert ask("s.example", "/both")[::2] == (200, b"behind the redirect")
        assert ask("s.example", "/apart")[::2] == (200, b"plain")

    during(web, visit)


def test_a_port_that_is_taken_is_told_in_one_line(web: Path) -> None:
    async def run(host: str, port: int) -> None:
        async with serve(web, port, host=host):
            pass

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot serve on 127.0.0.1:{port}: Address already in use"):
            asyncio.run(run("127.0.0.1", port))
    with pytest.raises(UsageError, match=r"cannot serve on no\.such\.invalid:1: "):
        asyncio.run(run("no.such.invalid", 1))


def _same(one: object, other: object) -> None:
    assert one == other
