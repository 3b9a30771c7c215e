"""One request and its reply over aiohttp.

Whatever the host does, the result is a ``Reply`` or a ``RequestFailure``. aiohttp keeps no cookies, follows
no redirects, retries nothing, reads no proxies from the environment and decodes nothing: each of these is
decided in a module of its own.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import aiohttp
from aiohttp import InvalidURL, hdrs
from aiohttp.abc import AbstractResolver
from aiohttp.connector import Connection
from yarl import URL

from homing.fetch.address_guard import (
    EVERYWHERE,
    AddressGuard,
    GuardedResolver,
    SingleResolver,
    SystemResolver,
)
from homing.fetch.body import AT_ONCE, BodyBudget, BodyReader, Deadline
from homing.fetch.decode import ACCEPTED
from homing.fetch.pace import Bucket
from homing.fetch.request_failure import DroppedError, RequestFailure, UnsendableError, explain, refused
from homing.fetch.settings import Caps, Identity, Limits
from homing.header_values import is_preference
from homing.model import Reply
from homing.ports import Clock
from homing.urls import host, origin

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

_KEEP_ALIVE = 4.0
"""Seconds an idle connection is kept. Many servers close theirs after 5; one closed just as it is reused
looks like a failing host."""

_NAME = r"(?=[^/:]{1,253}[/:])(?:[^./:?#@\[\]]{1,63}\.)*[^./:?#@\[\]]{1,63}\.?"
_SENDABLE_URL = re.compile(rf"(?=[!-~]+\Z)https?://(?:\[[0-9A-Fa-f:.]+\]|{_NAME})(?::\d{{1,5}})?/.*")
"""URLs that a request can be made for. yarl would drop line breaks without a word, and send what is left; a
name that is too long, or has an empty part, fails once its TLS connection is open, which is then leaked."""
_SHOWN = 80
"""Characters of another URL that an error shows."""

_DNS_TTL = 300
_MAX_LINE = 64 * 1024
_MAX_HEADERS = 1_000


class Exchange:
    """Sends requests and reads replies, under the guard, the limits and the byte rate.

    Parameters
    ----------
    resolver
        Name service. Default: the machine's own.
    tls
        Trusted certificates. Default: the machine's own.
    budget
        Shared with the caller, who releases each body when done with it.
    """

    def __init__(
        self,
        *,
        identity: Identity,
        limits: Limits,
        clock: Clock,
        guard: AddressGuard,
        proxy: str = "",
        connect_to: str = "",
        bytes_per_second: float | None = None,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
        budget: BodyBudget | None = None,
    ) -> None:
        self._identity = identity
        self._limits = limits
        self._clock = clock
        self._guard = guard
        self._proxy = proxy or None
        self._connect_to = connect_to
        self._body_reader = BodyReader(Bucket(clock, bytes_per_second), budget)
        self._resolver = resolver
        self._tls = tls
        self._session: aiohttp.ClientSession | None = None
        self._open_headers, self._secret_headers = _split(identity)

    async def get(
        self, url: str, headers: Mapping[str, str], caps: Caps, *, holder: int | None = None
    ) -> Reply | RequestFailure:
        """GET a canonical URL. A body that exceeds ``caps`` is cut.

        The body counts against the budget of ``holder``; robots.txt has none, and is small.
        """
        if self._proxy and (why := self._guard.objection_to_host(host(url))):
            return refused(why)
        session = self._session or self._open()
        requested_at, began = self._clock.wall(), self._clock.now()
        deadline = Deadline(self._limits)
        try:
            async with deadline.timeout, await self._send(session, url, headers) as response:
                assert isinstance(response, _PeeredResponse)
                if response.status == 101:
                    return RequestFailure(kind="protocol", detail="switched protocols uninvited", attempts=1)
                body, cut = await self._body_reader.read(response, deadline, caps, holder)
                return Reply(
                    url=url,
                    final_url=url,
                    status=response.status,
                    headers=_text_of(response.raw_headers),
                    body=body,
                    requested_at=requested_at,
                    took=self._clock.now() - began,
                    truncated=cut,
                    request=tuple(response.request_info.headers.items()),
                    address=response.peer,
                )
        except TimeoutError as error:
            if deadline.timeout.expired():
                return deadline.failure()
            return explain(error)
        except (aiohttp.ClientError, OSError) as error:
            return explain(error)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._resolver is not None:
            await self._resolver.close()

    async def _send(
        self, session: aiohttp.ClientSession, url: str, headers: Mapping[str, str]
    ) -> aiohttp.ClientResponse:
        """Send a request and return the response once its headers are there."""
        with making_a_request():
            target, sent = self._address(url, headers)
            return await session.get(target, headers=sent, allow_redirects=False, proxy=self._proxy)

    def _address(self, url: str, headers: Mapping[str, str]) -> tuple[URL, dict[str, str]]:
        """Return where to send a request for a URL, and its headers."""
        sent = {**self._open_headers, **headers}
        if self._secret_headers and origin(url) in self._identity.trusted:
            sent.update(self._secret_headers)
        if not _SENDABLE_URL.fullmatch(url):
            raise InvalidURL(repr(url[:_SHOWN]), "no request can be made for it")
        # The URL is canonical already; yarl would spell some of them in its own way.
        target = URL(url, encoded=True)
        if self._connect_to:
            # Always plain HTTP. Hosts keep their names, so that each has its own connection; IP addresses get
            # one, because aiohttp would connect to them directly.
            name = target.raw_host or ""
            sent[hdrs.HOST] = target.host_port_subcomponent or name
            if ":" in name or name.replace(".", "").isdigit():
                name = f"{name.replace(':', '-').replace('.', '-')}.address.invalid"
            target = URL(f"http://{name}:{target.port}{target.raw_path_qs}", encoded=True)
        return target, sent

    def _open(self) -> aiohttp.ClientSession:
        """Open the session, on first use because aiohttp needs a running loop."""
        system = self._resolver = self._resolver or SystemResolver()
        guard, resolver = self._guard, system
        if self._proxy:
            guard = AddressGuard(EVERYWHERE)
        elif self._connect_to:
            name, _, port = self._connect_to.rpartition(":")
            guard, resolver = AddressGuard(EVERYWHERE), SingleResolver(name, int(port), system)
        else:
            resolver = GuardedResolver(guard, system)
        connector = aiohttp.TCPConnector(
            limit=0,  # the engine counts requests in flight; one that waits here has no deadline yet
            limit_per_host=1,
            keepalive_timeout=_KEEP_ALIVE,
            resolver=resolver,
            ttl_dns_cache=_DNS_TTL,
            dns_cache_max_size=10_000,
            socket_factory=guard.open_socket,
            ssl=self._tls or True,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            response_class=_PeeredResponse,
            middlewares=(_send_once,),
            # A body that waits for the budget waits with twice this in memory, before it is counted: at
            # aiohttp's own 256 KiB that came to 9 MB among hosts that send without end.
            read_bufsize=AT_ONCE,
            max_line_size=_MAX_LINE,
            max_field_size=_MAX_LINE,
            max_headers=_MAX_HEADERS,
        )
        return self._session


class _PeeredResponse(aiohttp.ClientResponse):
    """A response that remembers its sender's address: a small body is complete, and its connection given
    back, before the address could be read."""

    peer: str = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        name = connection.transport.get_extra_info("peername") if connection.transport else None
        self.peer = str(name[0]) if name else ""
        if connection.transport is not None:
            connection.transport.max_size = AT_ONCE  # type: ignore[attr-defined]
        return await super().start(connection)


async def _send_once(
    request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Keep aiohttp from repeating a request whose connection was dropped: it would not wait the delay."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise DroppedError(str(error)) from error


def _split(identity: Identity) -> tuple[dict[str, str], dict[str, str]]:
    """Return the headers for every host, and those that only trusted origins may see."""
    everyone: dict[str, str] = {
        hdrs.USER_AGENT: identity.header,
        hdrs.ACCEPT: _ACCEPT,
        hdrs.ACCEPT_ENCODING: ACCEPTED,
    }
    if "@" in identity.contact:
        everyone[hdrs.FROM] = identity.contact
    secret: dict[str, str] = {}
    for name, value in identity.headers.items():
        (everyone if is_preference(name) else secret)[name] = value
    return everyone, secret


def _text_of(raw: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[str, str], ...]:
    """Decode headers as UTF-8, else as Latin-1, which takes any bytes."""
    headers = []
    for name, value in raw:
        try:
            text = value.decode()
        except UnicodeDecodeError:
            text = value.decode("latin-1")
        headers.append((name.decode("latin-1"), text))
    return tuple(headers)


@contextmanager
def making_a_request() -> Iterator[None]:
    """Raise ``UnsendableError`` for a value that the libraries refuse while a request is made with it.

    They raise ``ValueError``: yarl for ports and brackets, aiohttp for control characters in headers, and
    Python's codec of host names for labels that are empty or too long (a ``UnicodeError``, which is one too).
    Keep anything else out of the block: there a ``ValueError`` would be a bug of ours.
    """
    try:
        yield
    except (aiohttp.ClientError, OSError):
        raise  # some of these are ValueErrors as well, and say more
    except ValueError as error:
        raise UnsendableError(str(error)) from error
