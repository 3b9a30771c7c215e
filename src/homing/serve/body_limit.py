"""A limit on what a request may send, as a middleware before every route: bodies are read into memory."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 4 * 1024 * 1024
"""Bytes of a body: some forty thousand seeds in one command, or a pasted list and a file of as many."""

_REFUSED = HTTPException(413, "the request is larger than 4 MB; send it in parts")


class BodyLimit:
    """Refuses larger bodies, by the length that the client announces or as soon as it has sent more."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app read the body, up to the limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        taken = 0

        async def receive_some() -> Message:
            nonlocal taken
            if _is_larger(announced):
                raise _REFUSED
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                raise _REFUSED
            return message

        await self._app(scope, receive_some, send)


def _is_larger(announced: str) -> bool:
    """Tell whether a number is larger than the limit; Python refuses to read one of thousands of digits."""
    return len(announced) > 15 or (announced.isdecimal() and int(announced) > LARGEST)
