"""Results: printed, and written to docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


@dataclass(frozen=True)
class Result:
    what: str
    figure: str
    bar: str = ""
    reached: bool | None = None

    @property
    def verdict(self) -> str:
        return "" if self.reached is None else ("yes" if self.reached else "NO")


def show(results: Iterable[Result]) -> None:
    for result in results:
        print(f"{result.what:<58} {result.figure:>16}  {result.bar:<14} {result.verdict}")


def write(tables: dict[str, list[Result]], order: Iterable[str]) -> None:
    """Write docs/benchmarks.md and the machine it was measured on; other results stay as they were."""
    sections = dict(map(_split, PAGE.read_text().split("\n## ")[1:]))
    sections |= {name: _table(results) for name, results in tables.items()}
    head = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Figures are of this machine; the ratios hold elsewhere.",
        "",
        f"Machine: {os.cpu_count()} cores, {_processor()}, Python {platform.python_version()}, "
        f"{platform.system()}.",
        "",
    ]
    tables_in_order = [f"## {name}\n{sections[name].rstrip()}\n" for name in order if name in sections]
    PAGE.write_text("\n".join([*head, *tables_in_order]))


def _split(section: str) -> tuple[str, str]:
    name, _, rest = section.partition("\n")
    return name, rest


def _table(results: Iterable[Result]) -> str:
    lines = ["", "| what | figure | bar | reached |", "|---|---|---|---|"]
    lines += [f"| {r.what.strip()} | {r.figure} | {r.bar} | {r.verdict} |" for r in results]
    return "\n".join(lines)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
