"""Refuse addresses that are not public.

Links, redirects, robots.txt and sitemaps are written by strangers. One that leads to ``127.0.0.1``, to a
printer in the office or to a cloud's metadata service must not be followed, however it is spelled.
Checking the name in the URL is not enough: a name may resolve to a private address, or to a public one
when it is checked and a private one when it is used (DNS rebinding). So the check sits where it cannot
be bypassed: names are resolved by ``GuardedResolver``, which returns only addresses it has checked, and every
socket is opened by ``AddressGuard.open_socket``, which checks the very address it will connect to.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, ip_address, ip_network

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import AddrInfoType

from homing.fetch.special_addresses import Address, kind_unless_public

EVERYWHERE = ("0.0.0.0/0", "::/0")
"""For connections to what the user has named: a proxy, or the target of ``connect_to``."""

_NAT64 = ip_network("64:ff9b::/96")
"""Its addresses lead to the IPv4 address in their last 32 bits, which may be that of a private network."""


class AddressRefusedError(OSError):
    """The address is not public. An ``OSError``, so that aiohttp treats it as a failed connection."""


class AddressGuard:
    """Decides which addresses may be connected to: public ones, and the networks in ``allow``.

    Which are public: ``special_addresses``.

    >>> guard = AddressGuard(["10.0.0.0/8"])
    >>> guard.objection("93.184.215.14"), guard.objection("10.1.2.3"), guard.objection("::ffff:127.0.0.1")
    ('', '', '::ffff:127.0.0.1 is a loopback address')
    """

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self._allow = tuple(ip_network(network, strict=False) for network in allow)

    def objection(self, address: str) -> str:
        """Return why this address may not be connected to; empty if it may."""
        # A scope ("fe80::1%eth0") says which interface, not which address.
        spelled = ip_address(address.partition("%")[0])
        faces = _with_carried_ipv4(spelled)
        if any(face in network for network in self._allow for face in faces):
            return ""
        for face in faces:
            if nature := kind_unless_public(face):
                return f"{address} is {nature}"
        return ""

    def objection_to_host(self, host: str) -> str:
        """Return the same for the host of a URL, for use with a proxy, which resolves names itself.

        Names cannot be checked then, apart from those that always mean this machine.
        """
        bare = host.strip("[]").rstrip(".").lower()
        if bare == "localhost" or bare.endswith(".localhost"):
            return self.objection("127.0.0.1")
        try:
            return self.objection(bare)
        except ValueError:
            return ""

    def open_socket(self, info: AddrInfoType) -> socket.socket:
        """Create a socket for one address, unless it is refused: aiohttp's ``socket_factory``.

        Also the only check that sees IP addresses written in URLs: aiohttp does not resolve those.
        """
        family, kind, protocol, _, address = info
        if why := self.objection(str(address[0])):
            raise AddressRefusedError(why)
        return socket.socket(family=family, type=kind, proto=protocol)


class SystemResolver(AbstractResolver):
    """The machine's own name service, in threads of its own.

    A dead name may block its thread for half a minute. In asyncio's shared pool, which has cores + 4
    threads, a handful of dead names would stall every other host and every other user of that pool.
    """

    def __init__(self, threads: int = 32) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="homing-dns")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._pool, _look_up, host, port, family)
        except UnicodeError as error:
            # Labels that are empty or longer than 63 letters cannot be looked up at all.
            raise socket.gaierror(socket.EAI_NONAME, f"no valid name: {error}") from error
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=found_family,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for found_family, address in found
        ]

    async def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class GuardedResolver(AbstractResolver):
    """Resolves names by ``inner`` and returns those addresses that ``guard`` permits."""

    def __init__(self, guard: AddressGuard, inner: AbstractResolver) -> None:
        self._guard = guard
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        objections = [self._guard.objection(result["host"]) for result in found]
        permitted = [result for result, why in zip(found, objections, strict=True) if not why]
        if permitted:
            return permitted
        if objections:
            raise AddressRefusedError(f"{host}: {objections[0]}")
        raise socket.gaierror(socket.EAI_NONAME, f"{host} has no address")

    async def close(self) -> None:
        await self._inner.close()


class SingleResolver(AbstractResolver):
    """Resolves every name to one address, which the user has named: ``--connect-to HOST:PORT``."""

    def __init__(self, host: str, port: int, inner: AbstractResolver) -> None:
        self._host = host.strip("[]")
        self._port = port
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return await self._inner.resolve(self._host, self._port, family)

    async def close(self) -> None:
        await self._inner.close()


def _look_up(host: str, port: int, family: socket.AddressFamily) -> list[tuple[socket.AddressFamily, str]]:
    found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [(entry[0], str(entry[4][0])) for entry in found if entry[0] in (socket.AF_INET, socket.AF_INET6)]


def _with_carried_ipv4(address: Address) -> tuple[Address, ...]:
    """Return the address and the IPv4 address that packets to it end up at, if it is one that leads there.

    Other carriers of an IPv4 address (IPv4-compatible, IPv4-translated, 6to4, Teredo) are refused as such.
    """
    if isinstance(address, IPv4Address):
        return (address,)
    if address.ipv4_mapped:
        # Another spelling of the IPv4 address and nothing by itself.
        return (address.ipv4_mapped,)
    if address in _NAT64:
        return (address, IPv4Address(int(address) & 0xFFFF_FFFF))
    return (address,)
