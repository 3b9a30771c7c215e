"""A limit on the bodies of requests: one that is larger is refused before it fills the memory."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 10_000_000
"""Bytes: the form of a new crawl with each of its fields full, or a list of candidates."""

_MESSAGE = f"the body is too large: at most {LARGEST:,} bytes"


class BodyLimit:
    """ASGI middleware that answers 413 to bodies that are too large, announced or not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > LARGEST:
            await PlainTextResponse(_MESSAGE + "\n", 413)(scope, receive, send)
            return
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > LARGEST:
                raise HTTPException(413, _MESSAGE)
            return message

        await self._app(scope, receive_limited, send)
