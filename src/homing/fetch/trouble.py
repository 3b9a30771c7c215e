"""What can go wrong on the way to a page, and when asking again makes sense.

Everything aiohttp raises is turned into a ``Trouble`` here, in one place. Whatever else is raised is a
bug of ours and travels on.
"""

from __future__ import annotations

import socket
import ssl
from email.utils import parsedate_to_datetime

import aiohttp
from msgspec import Struct

from homing.fetch.guard import AddressRefusedError

# The answer "there is no such name"; others, such as "the server did not answer", may pass.
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class Trouble(Struct, frozen=True, kw_only=True):
    """Why a request brought no usable reply."""

    kind: str
    detail: str
    attempts: int = 1_000
    """How many attempts it is worth, whatever the settings allow: 1 if it will not pass by itself."""
    rest: float | None = None
    """How long the host asked to be left alone, already capped."""
    asked: bool = True
    """Was the host bothered at all?"""


class DroppedError(aiohttp.ClientError):
    """The host closed the connection before it answered."""


def refused(why: str) -> Trouble:
    """The address guard said no."""
    return Trouble(kind="address", detail=why, attempts=1, asked=False)


def explain(error: aiohttp.ClientError | OSError) -> Trouble:
    """The trouble behind an exception of the network."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return _explain_connection(error)
    match error:
        case aiohttp.InvalidURL():
            return Trouble(kind="url", detail=str(error), attempts=1)
        case aiohttp.ClientHttpProxyError():
            return Trouble(kind="connect", detail=f"the proxy answered {error.status} {error.message}")
        case DroppedError() | aiohttp.ServerDisconnectedError():
            return Trouble(kind="connect", detail="the connection was closed before an answer came")
        case aiohttp.ClientResponseError():
            return Trouble(kind="protocol", detail=_one_line(error.message), attempts=2)
        case ssl.SSLError():
            return Trouble(kind="tls", detail=_one_line(str(error)), attempts=1)
        case OSError():
            return Trouble(kind="connect", detail=_one_line(str(error)))
        case _:
            return Trouble(kind="protocol", detail=_one_line(str(error)), attempts=2)


def _explain_connection(error: aiohttp.ClientConnectorError) -> Trouble:
    cause = error.os_error
    match cause:
        case AddressRefusedError():
            return refused(str(cause))
        case ssl.SSLCertVerificationError():
            return Trouble(kind="tls", detail=cause.verify_message, attempts=1)
        case ssl.SSLError():
            return Trouble(kind="tls", detail=_one_line(cause.reason or str(cause)), attempts=1)
        case socket.gaierror():
            final = cause.errno in _NO_SUCH_NAME
            return Trouble(kind="dns", detail=str(cause.strerror), attempts=1 if final else 1_000)
        case _:
            return Trouble(kind="connect", detail=_one_line(cause.strerror or str(cause)))


def back_off(base: float, tries: int) -> float:
    """Seconds before the next attempt: four times as long after each, a day at most.

    >>> [back_off(30, tries) for tries in (0, 1, 2, 20)]
    [30.0, 120.0, 480.0, 86400.0]
    """
    return float(min(base * 4**tries, 86_400))


def retry_after(header: str, wall: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for: a number or a date; ``None`` if it is neither.

    >>> retry_after("120", 0.0)
    120.0
    >>> retry_after("Thu, 01 Jan 1970 00:01:30 GMT", 60.0)
    30.0
    >>> retry_after("soon", 0.0) is None
    True
    """
    text = header.strip()
    # No host means more than this, and longer numbers do not fit a float.
    if text.isascii() and text.isdigit() and len(text) < 12:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    try:
        return max(0.0, moment.timestamp() - wall)
    except (ValueError, OverflowError):
        return None


def _one_line(text: str) -> str:
    """What a stranger's bytes have become part of: one line, and not a long one."""
    return " ".join(text.split())[:200]
