"""Read a body as it arrives: under its deadline, its caps, the byte rate, and the budget of all bodies."""

from __future__ import annotations

import asyncio

import aiohttp
from aiohttp import hdrs

from homing.fetch.budget import BodyBudget
from homing.fetch.deadline import Deadline
from homing.fetch.decode import Body, Caps
from homing.fetch.pace import Bucket

AT_ONCE = 32 * 1024
"""Bytes taken from a connection before the event loop goes on. asyncio would take eight times as much: in
chunks of one byte each that is 70 ms of work."""

_BITE = 4 * 1024
"""Bytes decoded before the caps are checked: a bomb makes a megabyte of them."""
_PIECES = 500
"""Chunks read before the event loop goes on."""
_MANY_CHUNKS = 10_000
_TINY = 16
"""Bytes. More chunks than that, smaller than this on average, are an attack."""


class BodyReader:
    """Reads the bodies of responses.

    Parameters
    ----------
    bucket
        Byte rate over all hosts.
    budget
        Shared with the caller, who releases each body when done with it.
    """

    def __init__(self, bucket: Bucket, budget: BodyBudget | None) -> None:
        self._bucket = bucket
        self._budget = budget

    async def read(
        self, response: aiohttp.ClientResponse, deadline: Deadline, caps: Caps, holder: int | None
    ) -> tuple[bytes, str]:
        """Return the decoded body, and why it is not whole, if so."""
        body = Body(response.headers.get(hdrs.CONTENT_ENCODING, ""), caps)
        content, chunks = response.content, 0
        try:
            while not content.at_eof():
                if not content.is_eof():
                    deadline.body(body.received)
                data, count = await _read_available(content, body.received)
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
        """Decode these bytes and wait until there is room for more; return whether more is wanted."""
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


async def _read_available(content: aiohttp.StreamReader, taken: int) -> tuple[bytes, int]:
    """Wait for bytes beyond the first ``taken``; return all that are there and how many chunks they end."""
    data, is_end = await content.readchunk()
    pieces, chunks = [data], int(is_end)
    taken += len(data)
    while taken < content.total_bytes and len(pieces) < _PIECES:
        data, is_end = await content.readchunk()
        pieces.append(data)
        chunks += is_end
        taken += len(data)
    if len(pieces) == _PIECES:
        await asyncio.sleep(0)  # reading what is there already never yields to the event loop
    return (pieces[0] if len(pieces) == 1 else b"".join(pieces)), chunks
