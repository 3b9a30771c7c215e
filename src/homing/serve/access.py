"""Access control, as a middleware before every route, so that no route can forget it.

Any page on the web can make its visitor's browser send requests to any port of this machine. These keep it
out: the ``Host`` must be an allowed name (against DNS rebinding), changes need the token, a token in a cookie
counts only for requests from the app's own pages (against cross-site request forgery), and the browser loads
nothing from elsewhere (``Content-Security-Policy``).
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # Crawled hosts need not learn who reads about them; "no-referrer" would hide the origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class _Refusal(NamedTuple):
    status: int
    message: str


class AccessControl:
    """ASGI middleware that refuses requests that are not allowed.

    Parameters
    ----------
    token
        Required for changes.
    hosts
        Host names that the app answers to, without port.
    open_to_read
        Whether reading is allowed without the token, as on loopback, which only this machine can reach.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: Collection[str], open_to_read: bool) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._open_to_read = open_to_read

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no WebSocket routes
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        response = self._response(scope) or self._app
        await response(scope, receive, send_guarded)

    def _response(self, scope: Scope) -> Response | None:
        """Return the response that replaces the app's; ``None`` if the request may pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return _refuse(_Refusal(400, f'"{_name(host)}" is not allowed as a host name: --allow-host'))
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)).get("token")
        if scope["method"] == "GET" and given is not None:
            return self._log_in(scope, host, given)
        refusal = self._refusal(scope, headers, host)
        return refusal and _refuse(refusal)

    def _log_in(self, scope: Scope, host: str, given: str) -> Response:
        """Turn the token of the printed address into a cookie, and remove it from the address."""
        if not self._is_token(given):
            return _refuse(_Refusal(403, "this is not the token; homing serve printed the address with it"))
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        # "//other.example" would redirect to another site.
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=303)
        response.set_cookie(cookie_name(host), given, httponly=True, samesite="strict")
        return response

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> _Refusal | None:
        is_change = scope["method"] not in _HARMLESS
        if not is_change and self._open_to_read:
            return None
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = bearer.strip() if scheme.lower() == "bearer" else _cookie(headers, cookie_name(host))
        if not given:
            return _Refusal(
                401, "this needs the token: open the address that homing serve printed, or send it as Bearer"
            )
        if not self._is_token(given):
            return _Refusal(403, "this is not the token; homing serve printed the address with it")
        # Only a browser sends cookies by itself, and a browser sends the origin of the request.
        if is_change and scheme.lower() != "bearer" and headers.get("origin") not in _origins(host):
            return _Refusal(403, "changes are taken from this app's own pages only")
        return None

    def _is_token(self, given: str) -> bool:
        # In constant time, so that the time does not tell how much of it was right.
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode())


def cookie_name(host: str) -> str:
    """Return a name with the port in it: cookies ignore ports, and another app may run on another one."""
    port = host.rpartition(":")[2]
    return f"homing-{port}" if port.isdigit() else "homing"


def _name(host: str) -> str:
    """Return a host without its port.

    >>> _name("LOCALHOST:8765"), _name("[::1]:8765"), _name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _origins(host: str) -> tuple[str, str]:
    return f"http://{host}", f"https://{host}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _refuse(refusal: _Refusal) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else None
    return PlainTextResponse(refusal.message + "\n", refusal.status, headers)
