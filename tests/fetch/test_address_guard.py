import asyncio
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from homing.fetch.address_guard import AddressGuard, AddressRefusedError, GuardedResolver, SystemResolver
from homing.fetch.fetcher import HttpFetcher
from homing.model import Entry, Failure, Reply, Wait
from homing.urls import canonical

Serve = Callable[..., AbstractAsyncContextManager[tuple[int, list[dict[str, str]]]]]
MakeFetcher = Callable[..., AbstractAsyncContextManager[HttpFetcher]]
MakeEntry = Callable[..., Entry]


class FakeResolver(AbstractResolver):
    """Names and their addresses; a name with several answers gives them in turn, the last one for good."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = answers
        self.looked_up: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.looked_up.append(host)
        answers = self.answers[host.partition(".")[0]]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0)
            for address in addresses
        ]

    async def close(self) -> None:
        pass


async def say_ok(request: dict[str, str], writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


NOT_PUBLIC = """
127.0.0.1 127.8.9.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.100.100.200 192.0.0.192 168.63.129.16 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 198.18.0.1
::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 ::10.0.0.1 64:ff9b::7f00:1
64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 fd00:ec2::254 fc00::1 fe80::1
fe80::1%eth0 fec0::1
ff02::1 2001::1 2001:db8::1 3fff::1 5f00::1 100:0:0:1::1 192.88.99.1 ::ffff:0:7f00:1
::ffff:0:808:808 ::8.8.8.8
""".split()


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert address in AddressGuard().objection(address)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with pytest.raises(AddressRefusedError):
        AddressGuard().open_socket((family, socket.SOCK_STREAM, 6, "", (address, 80)))


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"],
)
def test_public_addresses_are_not(address: str) -> None:
    assert AddressGuard().objection(address) == ""


def test_an_allowed_network_is_open_in_every_spelling_and_no_other_is() -> None:
    guard = AddressGuard(["10.0.0.0/8", "fd00::/16"])
    assert [guard.objection(it) for it in ("10.9.8.7", "::ffff:10.9.8.7", "fd00::1")] == ["", "", ""]
    assert guard.objection("192.168.0.1")
    assert guard.objection("fd01::1")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "[::1]", "10.0.0.1"])
def test_behind_a_proxy_hosts_that_are_not_public_by_their_name_are_refused(host: str) -> None:
    assert AddressGuard().objection_to_host(host)
    assert not AddressGuard(["127.0.0.0/8", "::1/128", "10.0.0.0/8"]).objection_to_host(host)


@pytest.mark.parametrize("host", ["example.org", "localhost.example", "8.8.8.8", "[2606:4700::1111]"])
def test_behind_a_proxy_other_hosts_are_its_business(host: str) -> None:
    assert not AddressGuard().objection_to_host(host)


def test_of_several_addresses_the_public_ones_are_handed_on() -> None:
    resolver = GuardedResolver(AddressGuard(), FakeResolver(mixed=[["127.0.0.1", "8.8.8.8", "10.0.0.1"]]))
    found = asyncio.run(resolver.resolve("mixed.example", 80))
    assert [result["host"] for result in found] == ["8.8.8.8"]


def test_a_name_without_any_address_is_unknown_and_not_refused() -> None:
    resolver = GuardedResolver(AddressGuard(), FakeResolver(empty=[[]]))
    with pytest.raises(socket.gaierror):
        asyncio.run(resolver.resolve("empty.example", 80))


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example"])
def test_names_that_cannot_be_looked_up_are_unknown(host: str) -> None:
    async def look_up() -> None:
        resolver = SystemResolver(threads=1)
        try:
            await resolver.resolve(host, 80)
        finally:
            await resolver.close()

    with pytest.raises(socket.gaierror):
        asyncio.run(look_up())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "127.1",
        "[::ffff:127.0.0.1]",
        "inside.example",
        "0.0.0.0",
    ],
)
def test_a_canary_on_loopback_gets_no_connection(
    host: str, serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def try_it() -> tuple[Any, int]:
        connections = 0

        class Canary(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                nonlocal connections
                connections += 1

        server = await asyncio.get_running_loop().create_server(Canary, "127.0.0.1", 0)
        url = canonical(f"http://{host}:{server.sockets[0].getsockname()[1]}/")
        assert url is not None
        resolver = FakeResolver(inside=[["127.0.0.1", "::1", "::ffff:127.0.0.1"]])
        async with make_fetcher(allow_networks=[], resolver=resolver) as fetcher:
            outcome = await fetcher.fetch(entry(url))
        await asyncio.sleep(0.01)
        server.close()
        return outcome, connections

    outcome, connections = asyncio.run(try_it())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry_in, outcome.requested, connections) == ("address", None, False, 0)


def test_a_robots_txt_that_redirects_to_loopback_is_not_followed_there(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def try_it() -> tuple[Any, list[dict[str, str]]]:
        async with serve(say_ok) as (inside, canary):

            async def lure(request: dict[str, str], writer: asyncio.StreamWriter) -> None:
                location = f"Location: http://127.0.0.1:{inside}/robots.txt\r\n"
                writer.write(b"HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n" + location.encode() + b"\r\n")

            async with (
                serve(lure, "127.0.0.2") as (port, _),
                make_fetcher(allow_networks=["127.0.0.2"]) as fetcher,
            ):
                return await fetcher.fetch(entry(f"http://127.0.0.2:{port}/")), canary

    outcome, canary = asyncio.run(try_it())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.requested, canary) == ("address", True, [])


def test_a_name_that_changes_its_address_after_the_check_gains_nothing(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def hang_up(request: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        writer.close()

    async def try_it() -> tuple[Any, Any, list[dict[str, str]], list[dict[str, str]]]:
        async with serve(hang_up, "127.0.0.2") as (port, public):
            canary: list[dict[str, str]] = []

            async def sing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                canary.append({})
                writer.close()

            server = await asyncio.start_server(sing, "127.0.0.1", port)
            resolver = FakeResolver(rebind=[["127.0.0.2"], ["127.0.0.1"]])
            async with make_fetcher(allow_networks=["127.0.0.2"], resolver=resolver) as fetcher:
                url = f"http://rebind.example:{port}/"
                first, second = await fetcher.fetch(entry(url)), await fetcher.fetch(entry(url))
            server.close()
            return first, second, public, canary

    first, second, public, canary = asyncio.run(try_it())
    assert isinstance(first, Wait)
    assert isinstance(second, Reply)
    assert second.address == "127.0.0.2"
    assert len(public) == 2
    assert canary == []


def test_a_proxy_is_used_as_told_but_not_for_targets_inside(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def try_it() -> tuple[list[Any], list[dict[str, str]]]:
        async with serve(say_ok) as (port, requests):
            options = {
                "allow_networks": [],
                "proxy": f"http://user:word@127.0.0.1:{port}",
                "resolver": FakeResolver(),
            }
            async with make_fetcher(**options) as fetcher:
                urls = ["http://example.org/a", "http://127.0.0.1/", "http://localhost/", "http://[fd00::1]/"]
                return [await fetcher.fetch(entry(url)) for url in urls], requests

    outcomes, requests = asyncio.run(try_it())
    assert isinstance(outcomes[0], Wait)
    assert [outcome.kind for outcome in outcomes[1:]] == ["address"] * 3
    assert [request["path"] for request in requests] == ["http://example.org/robots.txt"]
    assert requests[0]["host"] == "example.org"
    assert requests[0]["proxy-authorization"] == "Basic dXNlcjp3b3Jk"
    assert "authorization" not in requests[0]


def test_a_proxy_that_will_not_connect_is_a_failure_to_connect(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def decline(request: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    async def try_it() -> tuple[Any, list[dict[str, str]]]:
        async with (
            serve(decline) as (port, requests),
            make_fetcher(allow_networks=[], proxy=f"http://127.0.0.1:{port}") as fetcher,
        ):
            return await fetcher.fetch(entry("https://example.org/")), requests

    outcome, requests = asyncio.run(try_it())
    assert (outcome.kind, outcome.detail) == ("connect", "robots.txt: the proxy answered 403 Forbidden")
    assert requests[0]["path"] == "example.org:443"


def test_under_connect_to_everything_goes_to_one_address_and_hosts_keep_their_names(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    hosts = [
        "http://a.example",
        "https://a.example",
        "https://b.example:8443",
        "http://10.0.0.1",
        "http://[fd00::1]:81",
    ]

    async def try_it() -> tuple[list[Any], list[dict[str, str]]]:
        async with (
            serve(say_ok) as (port, requests),
            make_fetcher(allow_networks=[], connect_to=f"127.0.0.1:{port}") as fetcher,
        ):
            urls = [f"{host}/x?y=%7C|" for host in hosts]
            # The first answer is about robots.txt.
            return [await fetcher.fetch(entry(url)) for url in urls for _ in range(2)], requests

    outcomes, requests = asyncio.run(try_it())
    replies = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    assert [reply.final_url for reply in replies] == [f"{host}/x?y=%7C|" for host in hosts]
    assert {reply.address for reply in replies} == {"127.0.0.1"}
    requested = [
        (request["host"], request["path"]) for request in requests if request["path"] != "/robots.txt"
    ]
    names = ["a.example", "a.example", "b.example:8443", "10.0.0.1", "[fd00::1]:81"]
    assert requested == [(name, "/x?y=%7C|") for name in names]
