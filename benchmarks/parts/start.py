"""How long do ``import homing`` and the help of a command take?

    python -m benchmarks.parts.start

CPU seconds of a process of its own, the best of five; then the packages that take longest to import for
the help of ``homing crawl``, each without those that it imports in turn.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.report import Result, show

RUNS = 5
SHOWN = 5
CRAWL_HELP = ("-m", "homing", "crawl", "--help")
STARTS: dict[str, tuple[tuple[str, ...], float]] = {
    "import homing": (("-c", "import homing"), 0.15),
    "homing --help": (("-m", "homing", "--help"), 0.3),
    "homing crawl --help": (CRAWL_HELP, 0.3),
}
"""Arguments of Python for each, and the maximum of CPU seconds."""


def run() -> list[Result]:
    results: list[Result] = []
    for name, (arguments, limit) in STARTS.items():
        seconds = min(cpu_seconds(arguments) for _ in range(RUNS))
        results.append(Result(name, f"{seconds:.2f} s CPU", f"≤ {limit} s", seconds <= limit))
    for package, time in heaviest_imports(CRAWL_HELP):
        results.append(Result(f"  help of crawl: import {package}", f"{time / 1000:.0f} ms"))
    return results


def cpu_seconds(arguments: Sequence[str]) -> float:
    """Return the user and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _start(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def heaviest_imports(arguments: Sequence[str]) -> list[tuple[str, int]]:
    """Return the packages that take longest to import, with the microseconds of their own modules."""
    times: Counter[str] = Counter()
    report = _start(("-X", "importtime", *arguments)).stderr
    for time, module in re.findall(r"^import time: +(\d+) \| +\d+ \| +([\w.]+)$", report, re.MULTILINE):
        times[module.partition(".")[0]] += int(time)
    return times.most_common(SHOWN)


def _start(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    # Installed packages are compiled; those of a checkout only if Python may write bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


if __name__ == "__main__":
    show(run())
