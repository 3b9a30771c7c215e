"""Run benchmarks: ``python -m benchmarks [NAME]...``. All, and docs/benchmarks.md, if none is named."""

import sys
from collections.abc import Callable

from benchmarks import belief, frontier, judging, lab, ranking, resume, strategies, throughput
from benchmarks.report import Result, show, write

ALL: dict[str, Callable[[], list[Result]]] = {
    "throughput": throughput.run,
    "frontier": frontier.run,
    "resume": resume.run,
    "judging": judging.run,
    "ranking": ranking.run,
    "belief": belief.run,
    "strategies": strategies.run,
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
