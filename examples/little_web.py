"""A focused crawl from Python, without a network: the built-in little web is served on this machine.

python examples/little_web.py
"""

import asyncio
import tempfile
from pathlib import Path

import homing
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import serve


async def main() -> None:
    """Print the first relevant pages of a crawl."""
    web = LittleWeb()
    with tempfile.TemporaryDirectory() as folder:
        async with serve(web) as server:
            visits = homing.crawl(
                web.topic,
                web.seeds,
                out=Path(folder) / "crawl",
                relevant=10,
                # The little web answers on one local address, whatever the host names in its URLs.
                settings={"fetch": {"connect_to": server.address, "concurrency": 1}, "pace": {"delay": 0.0}},
            )
            async for visit in visits:
                if visit.judgement.relevant:
                    print(f"{visit.judgement.score:.2f}  {visit.page.title}")


if __name__ == "__main__":
    asyncio.run(main())
