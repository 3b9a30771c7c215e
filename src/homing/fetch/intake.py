"""How a body comes in: under its deadline, its caps, the byte rate, and the budget of all bodies."""

from __future__ import annotations

import asyncio

import aiohttp
from aiohttp import hdrs

from homing.fetch.budget import BodyBudget
from homing.fetch.deadline import Deadline
from homing.fetch.decode import Body, Caps
from homing.fetch.pace import Bucket

AT_ONCE = 32 * 1024
"""Bytes to take from a connection before others have their turn. asyncio would take eight times as much:
in chunks of one byte each that is 70 ms of work."""

_BITE = 4 * 1024
"""Bytes decoded before anybody looks at what they have become: a megabyte, and it is a bomb (``Caps``)."""
_PIECES = 500
"""Chunks taken in before others have their turn."""
_MANY_CHUNKS = 10_000
_TINY = 16
"""Bytes. Who sends so many chunks, of less than this on average, wants to keep us busy."""


class Intake:
    """Reads the bodies of responses.

    Parameters
    ----------
    bucket
        The byte rate over all hosts.
    budget
        Shared with whoever keeps the bodies, and says when they are done with.
    """

    def __init__(self, bucket: Bucket, budget: BodyBudget | None) -> None:
        self._bucket = bucket
        self._budget = budget

    async def read(
        self, response: aiohttp.ClientResponse, deadline: Deadline, caps: Caps, holder: int | None
    ) -> tuple[bytes, str]:
        """The decoded body, and why it is not whole, if so."""
        body = Body(response.headers.get(hdrs.CONTENT_ENCODING, ""), caps)
        content, chunks = response.content, 0
        try:
            while not content.at_eof():
                if not content.is_eof():
                    deadline.body(body.received)
                data, count = await _arrived(content, body.received)
                chunks += count
                if not await self._take(data, body, deadline, holder):
                    break
                if chunks > _MANY_CHUNKS and body.received < chunks * _TINY:
                    return body.take(), "length"
        except aiohttp.ClientPayloadError:
            if not body.received:
                raise
            return body.take(), body.truncated or "disconnect"
        return body.take(), body.truncated

    async def _take(self, data: bytes, body: Body, deadline: Deadline, holder: int | None) -> bool:
        """Whether more is wanted after these bytes. Comes back when there is room for more."""
        for start in range(0, len(data), _BITE):
            if not body.feed(data[start : start + _BITE]):
                return False
            if self._budget and holder is not None and not self._budget.grant(holder, body.size):
                with deadline.paused():
                    await self._budget.wait(holder)
        if self._bucket.rate is not None:
            with deadline.paused():
                await self._bucket.take(len(data))
        return True


async def _arrived(content: aiohttp.StreamReader, taken: int) -> tuple[bytes, int]:
    """What has come since so many bytes were taken, and how many HTTP chunks it ends. Waits for some."""
    data, is_end = await content.readchunk()
    pieces, chunks = [data], int(is_end)
    taken += len(data)
    while taken < content.total_bytes and len(pieces) < _PIECES:
        data, is_end = await content.readchunk()
        pieces.append(data)
        chunks += is_end
        taken += len(data)
    if len(pieces) == _PIECES:
        await asyncio.sleep(0)  # reading what is there already never lets others have their turn
    return (pieces[0] if len(pieces) == 1 else b"".join(pieces)), chunks
