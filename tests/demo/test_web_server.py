"""The server of the little web speaks proper HTTP, and logs requests with their times."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import Server, serve


def during(web: LittleWeb, visit: Callable[[Server], Awaitable[None]], *, latency: float = 0.0) -> Server:
    """Serve the web while a client visits it."""

    async def run() -> Server:
        async with serve(web, latency=latency) as server:
            await asyncio.wait_for(visit(server), 20)
        return server

    return asyncio.run(run())


async def say(server: Server, *requests: bytes) -> bytes:
    """Send raw bytes and read until the server hangs up."""
    host, port = server.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for request in requests:
        writer.write(request)
        await writer.drain()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def test_every_page_comes_as_it_is_in_the_web(web: LittleWeb) -> None:
    urls = list(web.pages)[::9]

    async def visit(server: Server) -> None:
        async with aiohttp.ClientSession() as session:
            for url in urls:
                parts = urlsplit(url)
                where = f"http://{server.address}{parts.path}" + (f"?{parts.query}" if parts.query else "")
                async with session.get(where, headers={"Host": parts.netloc}, allow_redirects=False) as reply:
                    page = web.pages[url]
                    assert reply.status == page.status
                    assert await reply.read() == page.body
                    assert reply.headers["Content-Type"] == page.header("Content-Type")
                    assert reply.headers.get("Location", "") == page.header("Location")

    server = during(web, visit)
    assert [f"http://{request.host}{request.path}" for request in server.log] == urls


def test_one_connection_serves_many_requests_with_and_without_a_body(web: LittleWeb) -> None:
    def ask(address: str) -> None:
        connection = http.client.HTTPConnection(address, timeout=10)
        home = web.pages[web.seeds[0]]
        host = {"Host": web.hosts[0]}
        connection.request("HEAD", "/", headers=host)
        reply = connection.getresponse()
        first = connection.sock
        assert (reply.status, reply.read()) == (200, b"")
        assert reply.headers["Content-Length"] == str(len(home.body))
        connection.request("GET", "/", headers=host)
        reply = connection.getresponse()
        assert reply.read() == home.body
        connection.request("GET", "/", headers=host | {"If-None-Match": reply.headers["ETag"]})
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (304, b"")
        connection.request("GET", "/nowhere", headers=host | {"Connection": "close"})
        assert connection.sock is first is not None
        reply = connection.getresponse()
        assert reply.status == 404
        assert reply.headers["Connection"] == "close"
        assert b"Not Found" in reply.read()
        connection.close()

    server = during(web, lambda server: asyncio.to_thread(ask, server.address))
    assert [request.status for request in server.log] == [200, 200, 304, 404]


def test_the_host_may_carry_a_port_and_be_in_capitals(web: LittleWeb) -> None:
    async def visit(server: Server) -> None:
        host = web.hosts[5].upper().encode()
        for asked in (
            b"GET / HTTP/1.1\r\nHost: " + host + b":80",
            b"GET http://" + host + b"/ HTTP/1.1\r\nHost: x",
        ):
            answer = await say(server, asked + b"\r\nConnection: close\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")

    assert {request.host for request in during(web, visit).log} == {web.hosts[5]}


def test_http_1_0_is_answered_and_hung_up_on(web: LittleWeb) -> None:
    async def visit(server: Server) -> None:
        host = web.hosts[0].encode()
        answer = await say(server, b"GET / HTTP/1.0\r\nHost: " + host + b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nConnection: close\r\n" in answer
        twice = await say(
            server,
            b"GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: " + host + b"\r\n\r\n",
            b"GET / HTTP/1.0\r\nHost: " + host + b"\r\n\r\n",
        )
        assert twice.count(b"HTTP/1.1 200 OK") == 2

    during(web, visit)


def test_requests_may_come_in_pieces_or_together(web: LittleWeb) -> None:
    async def visit(server: Server) -> None:
        host = web.hosts[0].encode()
        ask = b"GET /about HTTP/1.1\r\nHost: " + host + b"\r\n"
        answer = await say(
            server, *(ask[at : at + 7] for at in range(0, len(ask), 7)), b"Connection: close\r\n\r\n"
        )
        assert answer.count(b"HTTP/1.1 200 OK") == 1
        both = await say(server, ask + b"\r\n" + ask + b"Connection: close\r\n\r\n")
        assert both.count(b"HTTP/1.1 200 OK") == 2

    during(web, visit)


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost a\r\n\r\n", 400),
        (b"GET about HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody", 405),
    ],
)
def test_what_cannot_be_understood_is_refused(web: LittleWeb, request_head: bytes, status: int) -> None:
    async def visit(server: Server) -> None:
        answer = await say(server, request_head)
        assert answer.startswith(b"HTTP/1.1 %d " % status)
        assert answer.count(b"HTTP/1.1") == 1
        assert b"\r\nConnection: close\r\n" in answer

    during(web, visit)


def test_latency_shows_in_the_log_and_holds_up_nobody_else(web: LittleWeb) -> None:
    async def visit(server: Server) -> None:
        async with aiohttp.ClientSession() as session:

            async def ask(host: str) -> None:
                async with session.get(f"http://{server.address}/", headers={"Host": host}) as reply:
                    await reply.read()

            await asyncio.gather(*(ask(host) for host in web.hosts[:10]))

    log = during(web, visit, latency=0.1).log
    assert len(log) == 10
    assert all(0.09 < request.ended - request.began < 1 for request in log)
    assert max(request.began for request in log) < min(request.ended for request in log)


def test_a_client_that_goes_away_is_recorded_as_unanswered(web: LittleWeb) -> None:
    async def visit(server: Server) -> None:
        host, port = server.address.split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\nHost: " + web.hosts[0].encode() + b"\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.close()
        await writer.wait_closed()
        while not server.log:
            await asyncio.sleep(0.01)

    (request,) = during(web, visit, latency=5).log
    assert request.status == 0
    assert request.ended - request.began < 2


def test_it_serves_from_a_process_of_its_own_and_stops_by_itself(tmp_path: Path, web: LittleWeb) -> None:
    log = tmp_path / "requests.jsonl"
    options = ["--seed", "1", "--log", str(log), "--seconds", "1.5"]
    command = [sys.executable, "-m", "homing.demo.web_server", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        connection = http.client.HTTPConnection(address, timeout=10)
        connection.request("GET", "/", headers={"Host": web.hosts[0]})
        assert connection.getresponse().read() == web.pages[web.seeds[0]].body
        connection.close()
        (line,) = log.read_text().splitlines()
        assert process.wait(timeout=20) == 0
    request = json.loads(line)
    assert (request["host"], request["path"], request["status"]) == (web.hosts[0], "/", 200)
    assert request["began"] <= request["ended"]
