"""Read a body as it arrives, within its size, its time and the memory that all bodies share.

``BodyReader`` reads it. ``Body`` ends it when it is too large, ``Deadline`` when the host is too slow, and
``BodyBudget`` holds it up while all large bodies together take too much memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import aiohttp
from aiohttp import hdrs

from homing.fetch.decode import BROKEN, PIECE, Decoder, FullError, decoder_of
from homing.fetch.pace import Bucket
from homing.fetch.request_failure import RequestFailure
from homing.fetch.settings import Caps, Limits

AT_ONCE = 32 * 1024
"""Bytes taken from a connection before the event loop goes on. asyncio would take eight times as much: in
chunks of one byte each that is 70 ms of work."""

_BITE = 4 * 1024
"""Bytes decoded before the caps are checked: a bomb makes a megabyte of them."""
_PIECES = 500
_MANY_CHUNKS, _TINY = 10_000, 16
"""More chunks than that, of fewer bytes than this on average, are an attack."""
_RATIO_COUNTS_FROM = 1024 * 1024


class BodyReader:
    """Reads the bodies of responses. The caller releases each from the budget when done with it."""

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
                    deadline.extend(body.received)
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
    pieces: list[bytes] = []
    chunks = 0
    while not pieces or (taken < content.total_bytes and len(pieces) < _PIECES):
        data, is_end = await content.readchunk()
        pieces.append(data)
        chunks += is_end
        taken += len(data)
    if len(pieces) == _PIECES:
        await asyncio.sleep(0)  # reading what is already there never yields to the event loop
    return b"".join(pieces), chunks


class Body:
    """A body as it arrives: feed it encoded bytes, then take the decoded ones.

    >>> import zlib
    >>> body = Body("gzip", Caps(max_bytes=5))
    >>> body.feed(zlib.compress(b"butterfly", wbits=31))
    False
    >>> body.take(), body.truncated
    (b'butte', 'length')
    """

    def __init__(self, content_encoding: str, caps: Caps) -> None:
        self.received = 0
        """Bytes received over the network."""
        self.size = 0
        """Bytes that are kept."""
        self.truncated = ""
        """Why the body is not whole, in WARC's terms; empty if it is, as far as we can see."""
        self._caps = caps
        self._decoder = decoder_of(content_encoding, caps) if content_encoding else None
        self._kept = BytesIO()
        """Grows in place: joined from pieces, a body would be in memory twice."""

    def feed(self, data: bytes) -> bool:
        """Decode these bytes; return whether more are wanted."""
        self.received += len(data)
        try:
            if self._decoder:
                self._decode(self._decoder, data)
            else:
                self._keep(data)
        except FullError:
            self.truncated = "length"
        # Encoded bytes that decode to nothing must not arrive forever either.
        if not self.truncated and self.received > self._caps.max_bytes + PIECE:
            self.truncated = "length"
        return not self.truncated

    def take(self) -> bytes:
        return self._kept.getvalue()

    def _keep(self, piece: bytes) -> None:
        kept = piece[: self._caps.max_bytes - self.size]
        self._kept.write(kept)
        self.size += len(kept)
        too_large = len(kept) < len(piece)
        if too_large or self.size > max(_RATIO_COUNTS_FROM, self.received * self._caps.max_ratio):
            raise FullError

    def _decode(self, decoder: Decoder, data: bytes) -> None:
        try:
            decoder.write(data, self._keep)
        except BROKEN:
            if self.size or self.received > len(data):
                self.truncated = "unspecified"
            else:
                # Broken from the first byte on: it never was encoded, whatever the header says.
                self._decoder = None
                self._keep(data)


def gunzip(data: bytes, caps: Caps) -> tuple[bytes, str]:
    """Unpack a gzip file such as ``sitemap.xml.gz`` under caps; return it and why it is not whole, if so."""
    body = Body("gzip", caps)
    body.feed(data)
    return body.take(), body.truncated


class Deadline:
    """When one reply is abandoned. Wrap the exchange in ``async with deadline.timeout``.

    Three limits in one: the headers must be complete soon after the request, the whole reply must arrive
    within the total, and the body not slower than a minimum rate. Each is a moment in time; the nearest one
    counts. A host that sends a byte a second, or nothing at all, hits the same moment: after ``n`` bytes it
    is ``n / rate`` seconds, and a grace for stalls, past the beginning of the body.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._requested_at = self._loop.time()
        self._body_at = 0.0
        self._excused = 0.0
        self._slow = False
        first_byte = min(limits.first_byte_seconds, limits.total_seconds)
        self.timeout = asyncio.timeout_at(self._requested_at + first_byte)

    def extend(self, received: int) -> None:
        """Set the deadline for the rest of a body of which ``received`` bytes have arrived."""
        limits = self._limits
        self._body_at = self._body_at or self._loop.time()
        end = self._requested_at + limits.total_seconds
        self._slow = False
        if limits.min_bytes_per_second > 0:
            paid_for = self._body_at + limits.grace_seconds + received / limits.min_bytes_per_second
            self._slow = paid_for < end
            end = min(end, paid_for)
        self.timeout.reschedule(end + self._excused)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock while we do not read: that time does not count against the host."""
        began = self._loop.time()
        self.timeout.reschedule(None)
        yield
        self._excused += self._loop.time() - began

    def failure(self) -> RequestFailure:
        """Return which limit was missed, once one was."""
        kind, detail = "timeout", f"not complete within {self._limits.total_seconds:g} s"
        if not self._body_at:
            detail = f"no answer within {self._limits.first_byte_seconds:g} s"
        elif self._slow:
            kind, detail = "slow", f"less than {self._limits.min_bytes_per_second:g} bytes a second"
        return RequestFailure(kind=kind, detail=detail)


class BodyBudget:
    """Memory that all large bodies share, each from its first bytes until it is archived.

    One body is bounded by ``Limits.body_caps``, but 64 hosts may send their largest at the same time, and all
    of these may be queued for the worker that reads large pages. When the budget is spent, reading stops and
    TCP makes the hosts wait. The oldest body may always grow, so that one always completes and makes room.
    Bodies of ordinary size do not count. A page that a worker has parsed counts with its body until it is
    processed, as a small body can hold many links.

    Parameters
    ----------
    most
        Bytes for all together; the oldest body may add its own limit to that.
    large
        Bytes from which on a body counts.

    Examples
    --------
    >>> budget = BodyBudget(most=10, large=3)
    >>> budget.grant(1, 8), budget.grant(2, 3), budget.grant(2, 4), budget.grant(1, 20)
    (True, True, False, True)
    >>> budget.release(1)
    >>> budget.grant(2, 9)
    True
    """

    def __init__(self, *, most: int = 8 * 1024 * 1024, large: int = 256 * 1024) -> None:
        self._most = most
        self._large = large
        self._held: dict[int, int] = {}
        """Bytes by holder, the oldest first."""
        self._released = asyncio.Event()

    def grant(self, holder: int, size: int) -> bool:
        """Record that a body has grown; return whether it may go on growing now."""
        if size <= self._large:
            return True
        self._held[holder] = size
        return self._may_grow(holder)

    async def wait(self, holder: int) -> None:
        """Wait until a body may go on growing."""
        while not self._may_grow(holder):
            self._released.clear()
            await self._released.wait()

    def release(self, holder: int) -> None:
        """Free what a body held: it is archived, or there is none."""
        if self._held.pop(holder, None) is not None:
            self._released.set()

    def _may_grow(self, holder: int) -> bool:
        return sum(self._held.values()) <= self._most or next(iter(self._held)) == holder
