"""Compare two runs of one experiment to the last digit, after a change that should change no result.

    python -m experiments.same_runs BEFORE AFTER        # folders that `homing lab run` has written

The file results.json, the cells of tables.md and every step of every run must be equal. Costs may differ, and
so may the digest of a run, which depends on the code. Exit code 1 on a difference.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

COSTS = {"cpu_seconds", "fit_seconds", "seconds", "bytes_a_url"}
"""Fields of a run that depend on the machine."""
COST_COLUMN = "CPU ms"
NAMES = ("topic", "draw", "name", "strategy", "against", "measure")
"""The fields that tell one entry of a list from the next."""
SHOWN = 10

Figures = dict[str, str]
"""Each figure as it is written, by its place."""


def main(before: Path, after: Path) -> int:
    """Print whether two runs are the same, and where they first differ; return the exit code."""
    figures, others = figures_in(before), figures_in(after)
    found = differences(figures, others)
    if found:
        print("\n".join(found[:SHOWN]))
        print(f"{len(found)} of {len(figures.keys() | others.keys())} figures differ")
        return 1
    print(f"same: {len(figures)} figures of {len(_strategies(before))} strategies")
    return 0


def figures_in(folder: Path) -> Figures:
    """Return every figure of a finished run of an experiment."""
    figures = dict(_flat("results", _read(folder / "results.json")))
    figures |= _cells((folder / "tables.md").read_text(encoding="utf-8"))
    for run in _runs(folder):
        unit = run.pop("unit")
        named = {**run, **unit} if isinstance(unit, dict) else run
        name = f"runs/{named['topic']}/{named['draw']}/{run['label'] or run['strategy']}"
        figures |= _flat(name, {field: value for field, value in run.items() if field not in COSTS})
    return figures


def differences(before: Figures, after: Figures) -> list[str]:
    """Return a line for each figure that is not the same in both."""
    places = dict.fromkeys([*before, *after])
    return [
        f"{place}: {before.get(place, 'missing')} before, {after.get(place, 'missing')} after"
        for place in places
        if before.get(place) != after.get(place)
    ]


def _flat(place: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the figures within a JSON value. A list has a length too: an empty one is not a missing one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{place}/{key}", inner)
    elif isinstance(value, list):
        yield f"{place}/length", str(len(value))
        for position, inner in enumerate(value):
            yield from _flat(f"{place}/{position}{_name_of(inner)}", inner)
    else:
        yield place, json.dumps(value)


def _name_of(entry: object) -> str:
    """Return the name of an entry of a list, to make a difference readable."""
    if not isinstance(entry, dict):
        return ""
    named = [str(entry[field]) for field in NAMES if field in entry]
    return f"({' '.join(named)})" if named else ""


def _cells(page: str) -> Figures:
    """Return the cells of the Markdown tables of a page by row and column, without headings and costs."""
    figures: Figures = {}
    lines = [_split(line) for line in page.splitlines() if line.startswith("|")]
    rows = 0
    for cells, below in zip(lines, [*lines[1:], [""]], strict=True):
        if below[0].startswith("---"):
            columns = [place for place, heading in enumerate(cells) if heading != COST_COLUMN]
        elif not cells[0].startswith("---"):
            rows += 1
            figures |= {f"tables/row {rows}({cells[0]})/{place + 1}": cells[place] for place in columns}
    return figures


def _split(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def _runs(folder: Path) -> Iterator[dict[str, object]]:
    for digest in _listed(folder):
        run = _read(folder / "runs" / f"{digest}.json")
        assert isinstance(run, dict)
        yield run


def _listed(folder: Path) -> list[object]:
    listed = _read(folder / "runs.json")
    assert isinstance(listed, list)
    return listed


def _strategies(folder: Path) -> set[object]:
    return {run["label"] or run["strategy"] for run in _runs(folder)}


def _read(path: Path) -> object:
    """Read a JSON file; numbers stay the text that was written."""
    value: object = json.loads(path.read_bytes(), parse_float=str)
    return value


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
