"""What does the frontier cost a page, and a URL, as a crawl grows?

A page is one lease, its release and settling, and the offer of 60 links, half of which are known already; the
hashing of the URLs is part of it. Each size runs in a process of its own, so that memory is measured apart.
Rounds of all sizes alternate, and the fastest of each counts: the same run can take half as long again when
the machine has other work.
"""

import json
import random
import subprocess
import sys
import time
from operator import itemgetter
from pathlib import Path

from benchmarks.report import Result
from homing.frontier.frontier import Frontier
from homing.model import Entry, Priority, Proposal, Standing
from homing.steps import KeepBetter
from homing.urls import key

SIZES = (10_000, 100_000, 1_000_000)
LINKS = 60
PAGES = 2_000
HOSTS = 1_000
ROUNDS = 5


def measure(size: int) -> dict[str, float]:
    dice = random.Random(1)
    frontier = Frontier(delay=0)
    before = _memory()
    number = 0
    while len(frontier.urls) < size:
        _offer(frontier, [_proposal(number + place, dice) for place in range(LINKS)])
        number += LINKS
    after = _memory()
    pages = []
    for _ in range(PAGES):
        new = [number + place for place in range(LINKS // 2)]
        known = [dice.randrange(size) for _ in range(LINKS // 2)]
        number += LINKS // 2
        pages.append([_proposal(place, dice) for place in new + known])
    began = time.process_time()
    for links in pages:
        lease = frontier.lease(0.0)
        assert lease is not None
        frontier.release(lease.seq, 0.0)
        frontier.settle(lease.seq, Standing.DONE)
        _offer(frontier, links)
    return {
        "ms_per_page": (time.process_time() - began) / PAGES * 1_000,
        "bytes_per_url": (after - before) / size,
    }


def run() -> list[Result]:
    runs = [(size, _measured_apart(size)) for _ in range(ROUNDS) for size in SIZES]
    figures = {
        size: min((figure for of, figure in runs if of == size), key=itemgetter("ms_per_page"))
        for size in SIZES
    }
    small, large = figures[SIZES[0]], figures[SIZES[-1]]
    results = [
        Result(f"frontier work a page, {size:,} known URLs", f"{figures[size]['ms_per_page']:.3f} ms")
        for size in SIZES
    ]
    results[-1] = Result(results[-1].what, results[-1].figure, "≤ 0.6 ms", large["ms_per_page"] <= 0.6)
    ratio = large["ms_per_page"] / small["ms_per_page"]
    return [
        *results,
        Result("  of that at 10,000", f"{ratio:.2f} times", "≤ 1.5 times", ratio <= 1.5),
        Result(
            "memory of a known URL at 1,000,000",
            f"{large['bytes_per_url']:.0f} bytes",
            "≤ 250 bytes",
            large["bytes_per_url"] <= 250,
        ),
    ]


def _measured_apart(size: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.parts.frontier", str(size)]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return figures


def _proposal(number: int, dice: random.Random) -> Proposal:
    url = f"http://host-{number % HOSTS}.example/section/{number}.html"
    return Proposal(url=url, priority=Priority(score=dice.random()))


def _offer(frontier: Frontier, links: list[Proposal]) -> None:
    frontier.offer([(key(link.url), link) for link in links], KeepBetter(), _no_look_up)


def _no_look_up(seq: int) -> Entry:
    raise AssertionError("keep_better needs no look at the store")


def _memory() -> int:
    """Return the resident bytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4_096


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
