"""Run benchmarks: ``python -m benchmarks [NAME]...``. All, and docs/benchmarks.md, if none is named."""

import sys
from collections.abc import Callable

from benchmarks import (
    adaptive,
    belief,
    endurance,
    frontier,
    hostile,
    judging,
    lab,
    ranking,
    resume,
    search,
    strategies,
    throughput,
    watching,
)
from benchmarks.report import Result, show, write

ALL: dict[str, Callable[[], list[Result]]] = {
    "throughput": throughput.run,
    "frontier": frontier.run,
    "resume": resume.run,
    "search": search.run,
    "watching": watching.run,
    "hostile": hostile.run,
    "endurance": endurance.run,
    "judging": judging.run,
    "ranking": ranking.run,
    "belief": belief.run,
    "strategies": strategies.run,
    "adaptive": adaptive.run,
    "lab": lab.run,
}

named = sys.argv[1:]
tables = {}
for name in named or ALL:
    print(f"-- {name}", flush=True)
    tables[name] = ALL[name]()
    show(tables[name])
if not named:
    write(tables)
