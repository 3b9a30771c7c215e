"""Plain pages over real HTTP on loopback: 15 KB of text, 60 links each, on 40 hosts (127.0.1.1 ...).

    python -m benchmarks.servers.pages PAGES SECONDS [HOSTS]

prints its port and stops by itself.
"""

import asyncio
import random
import sys

from benchmarks.words import Words

HOSTS = 40
LINKS = 60


def page(number: int, pages: int, port: int, words: Words, hosts: int = HOSTS) -> bytes:
    dice = random.Random(number)
    parts = [
        f"<!doctype html><html lang=en><head><title>{words.draw(dice, 5)}</title>"
        f'<meta name=description content="{words.draw(dice, 12)}"></head><body><h1>{words.draw(dice, 4)}</h1>'
    ]
    for place in range(LINKS):
        target = dice.randrange(pages)
        if place % 6 == 0:
            parts.append(f"<h2>{words.draw(dice, 3)}</h2>")
        parts.append(
            f"<p>{words.draw(dice, 18)} <a href='http://127.0.1.{target % hosts + 1}:{port}/{target}.html'>"
            f"{words.draw(dice, 3)}</a> {words.draw(dice, 18)}.</p>\n"
        )
    return "".join([*parts, "</body></html>"]).encode()


class Pages(asyncio.Protocol):
    """A minimal server: the client is what is measured."""

    bodies: list[bytes]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            request, self.received = self.received.split(b"\r\n\r\n", 1)
            name = request.split(b" ", 2)[1].strip(b"/").removesuffix(b".html")
            if name.isdigit():
                self._answer(b"200 OK", b"text/html; charset=utf-8", self.bodies[int(name)])
            elif name == b"robots.txt":
                self._answer(b"200 OK", b"text/plain", b"User-agent: *\nDisallow: /private/\n")
            else:
                self._answer(b"404 Not Found", b"text/plain", b"none")

    def _answer(self, status: bytes, kind: bytes, body: bytes) -> None:
        head = b"HTTP/1.1 %b\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (status, kind, len(body))
        self.transport.write(head + body)


async def serve(pages: int, seconds: float, hosts: int = HOSTS) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Pages, "0.0.0.0", 0)
    port = server.sockets[0].getsockname()[1]
    words = Words()
    Pages.bodies = [page(number, pages, port, words, hosts) for number in range(pages)]
    print(port, sum(map(len, Pages.bodies)) // pages, flush=True)
    await asyncio.sleep(seconds)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]), *map(int, sys.argv[3:])))
