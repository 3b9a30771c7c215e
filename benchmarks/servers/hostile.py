"""Sixty-four hostile hosts on loopback: 127.0.2.1 ... 127.0.2.64, four of each kind.

    python -m benchmarks.servers.hostile SECONDS

prints its port and stops by itself. A host answers every URL but robots.txt in its own way; some answer that
in the same way.
"""

import asyncio
import itertools
import sys
from collections.abc import Awaitable, Callable
from functools import cache, partial

from tests.fetch.test_exchange import BROKEN
from tests.hazards import hostile
from tests.hazards.hosts import NOT_FOUND, http, moved, page
from tests.parse.test_nesting_guard import HOSTILE

HOSTS = 64

Write = Callable[[asyncio.StreamWriter], Awaitable[None]]


def _bomb(name: str) -> Callable[[], bytes]:
    encoding, make = hostile.BOMBS[name]
    return lambda: http(make(), Content_Encoding=encoding)


def _many_links() -> bytes:
    return page(*(f"/{number}?far" for number in range(5_000)))


async def _slow_first_byte(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(5.0)
    writer.write(http("<p>Sorry, I am late."))


async def _half(writer: asyncio.StreamWriter) -> None:
    """Announce more than is sent."""
    writer.write(http(b"x" * 100_000)[:50_000])
    await writer.drain()
    writer.close()


_broken = itertools.cycle(BROKEN.values())
_turns = itertools.count()


async def _broken_http(writer: asyncio.StreamWriter) -> None:
    writer.write(next(_broken))
    await writer.drain()
    writer.close()


async def _redirect_loop(writer: asyncio.StreamWriter) -> None:
    writer.write(moved(f"/again/{next(_turns)}"))


FIXED: dict[str, Callable[[], bytes]] = {
    "gzip bomb": _bomb("gzip"),
    "brotli bomb": _bomb("brotli"),
    "zstd bomb": _bomb("zstd"),
    "deep HTML": lambda: http(HOSTILE["a million nested tags"]()),
    "HTML of one tag": lambda: http(HOSTILE["ten megabytes of one formatting tag"]()),
    "many links": _many_links,
}
WRITTEN: dict[str, Write] = {
    "silence": hostile.silence,
    "late first byte": _slow_first_byte,
    "dripping body": partial(hostile.dripping_body, every=1.0),
    "dripping headers": partial(hostile.dripping_headers, every=1.0),
    "endless body": hostile.endless_body,
    "endless chunks": hostile.endless_chunks,
    "endless headers": hostile.endless_headers,
    "broken HTTP": _broken_http,
    "half a body": _half,
    "redirects without end": _redirect_loop,
}
KINDS = (*WRITTEN, *FIXED)
WITHOUT_ROBOTS = ("silence", "dripping headers", "endless headers")
"""Kinds that answer robots.txt like everything else."""


def kind_of(host: str) -> str:
    """Return what a host does, by its address.

    >>> kind_of("127.0.2.1"), kind_of("127.0.2.17"), kind_of("127.0.2.16")
    ('silence', 'silence', 'many links')
    """
    return KINDS[(int(host.rpartition(".")[2]) - 1) % len(KINDS)]


@cache
def _fixed(kind: str) -> bytes:
    return FIXED[kind]()


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    kind = kind_of(writer.get_extra_info("sockname")[0])
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            if head.startswith(b"GET /robots.txt ") and kind not in WITHOUT_ROBOTS:
                writer.write(NOT_FOUND)
            elif kind in WRITTEN:
                await WRITTEN[kind](writer)
            else:
                writer.write(_fixed(kind))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the crawler has had enough
    finally:
        writer.close()


async def serve(seconds: float) -> None:
    for kind in FIXED:
        _fixed(kind)
    server = await asyncio.start_server(_talk, "0.0.0.0", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(seconds)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
