"""Run benchmarks: ``python -m benchmarks [--write] [NAME]...``. Default: all of them.

Results are written to docs/benchmarks.md with ``--write``, and whenever all benchmarks are run.
"""

import sys
from collections.abc import Callable

from benchmarks.crawls import endurance, hostile, resume, search, throughput, watching
from benchmarks.parts import adaptive, belief, frontier, judging, lab, ranking, start, strategies
from benchmarks.report import Result, show, write

ALL: dict[str, Callable[[], list[Result]]] = {
    "start": start.run,
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

named = [name for name in sys.argv[1:] if name != "--write"]
if unknown := [name for name in named if name not in ALL]:
    sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(ALL)}")
tables = {}
for name in named or ALL:
    print(f"-- {name}", flush=True)
    tables[name] = ALL[name]()
    show(tables[name])
if not named or "--write" in sys.argv:
    write(tables, ALL)
