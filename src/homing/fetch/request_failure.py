"""Why a request brought no usable reply.

Every error that aiohttp raises becomes a ``RequestFailure`` here, in one place: ``explain`` says what each
means. Any other exception is a bug of ours and propagates.
"""

from __future__ import annotations

import socket
import ssl

import aiohttp
from msgspec import Struct

from homing.fetch.address_guard import AddressRefusedError

# The answer "there is no such name"; others, such as "the server did not answer", may pass.
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class RequestFailure(Struct, frozen=True, kw_only=True):
    """Why a request brought no usable reply."""

    kind: str
    detail: str
    attempts: int = 1_000
    """Maximum attempts, whatever the settings allow: 1 if the failure is permanent."""
    rest: float | None = None
    """Seconds of rest that the host requested (``Retry-After``), already capped."""
    requested: bool = True
    """Whether a request was sent at all."""


class DroppedError(aiohttp.ClientError):
    """The host closed the connection before it replied."""


class UnsendableError(aiohttp.ClientError):
    """No request can be made with these values."""


def refused(why: str) -> RequestFailure:
    """Return the failure of an address that the guard refused."""
    return RequestFailure(kind="address", detail=why, attempts=1, requested=False)


def explain(error: aiohttp.ClientError | OSError) -> RequestFailure:
    """Return the failure that a network exception stands for."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return _explain_connection(error)
    match error:
        case aiohttp.InvalidURL() | UnsendableError():
            return RequestFailure(kind="url", detail=_one_line(str(error)), attempts=1, requested=False)
        case aiohttp.ClientHttpProxyError():
            return RequestFailure(kind="connect", detail=f"the proxy answered {error.status} {error.message}")
        case DroppedError() | aiohttp.ServerDisconnectedError():
            return RequestFailure(kind="connect", detail="the connection was closed before an answer came")
        case aiohttp.ClientResponseError():
            return RequestFailure(kind="protocol", detail=_one_line(error.message), attempts=2)
        case ssl.SSLError():
            return RequestFailure(kind="tls", detail=_one_line(str(error)), attempts=1)
        case OSError():
            return RequestFailure(kind="connect", detail=_one_line(str(error)))
        case _:
            return RequestFailure(kind="protocol", detail=_one_line(str(error)), attempts=2)


def _explain_connection(error: aiohttp.ClientConnectorError) -> RequestFailure:
    cause = error.os_error
    match cause:
        case AddressRefusedError():
            return refused(str(cause))
        case ssl.SSLCertVerificationError():
            return RequestFailure(kind="tls", detail=cause.verify_message, attempts=1)
        case ssl.SSLError():
            return RequestFailure(kind="tls", detail=_one_line(cause.reason or str(cause)), attempts=1)
        case socket.gaierror():
            final = cause.errno in _NO_SUCH_NAME
            return RequestFailure(kind="dns", detail=str(cause.strerror), attempts=1 if final else 1_000)
        case _:
            return RequestFailure(kind="connect", detail=_one_line(cause.strerror or str(cause)))


def _one_line(text: str) -> str:
    """Return a text that may hold a host's own bytes as one short line."""
    return " ".join(text.split())[:200]
