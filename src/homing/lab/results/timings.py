"""The cost of runs. Times differ from run to run, so they are stored beside the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct

from homing.errors import UsageError
from homing.files import whole_file
from homing.lab.results.measures import MEASURES, Peers
from homing.lab.results.rows import Named, by_name, named, tidied
from homing.lab.runs import Run

FILE = "timings.json"


class Timing(Named, frozen=True, kw_only=True):
    """The cost of a run."""

    cpu_ms_per_page: float | None
    fit_seconds: float
    bytes_a_url: float
    fits: int
    seconds: float
    """CPU seconds of the whole replay, judge and engine included."""


class Cost(Struct, frozen=True, kw_only=True):
    """The cost of a strategy, on average over its runs."""

    strategy: str
    name: str
    cpu_ms_per_page: float | None
    fit_seconds: float
    bytes_a_url: float


class Timings(Struct, frozen=True, kw_only=True):
    """The cost of an experiment: ``timings.json``."""

    rows: tuple[Timing, ...]
    summary: tuple[Cost, ...]

    def cpu_ms(self, name: str) -> float | None:
        """Return the CPU time of a strategy for a page."""
        return next((each.cpu_ms_per_page for each in self.summary if each.name == name), None)

    def write(self, folder: Path) -> None:
        with whole_file(folder / FILE) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")

    @staticmethod
    def read(folder: Path) -> Timings:
        try:
            return msgspec.json.decode((folder / FILE).read_bytes(), type=Timings)
        except FileNotFoundError:
            return Timings(rows=(), summary=())  # results can be shown without timings
        except (OSError, msgspec.DecodeError) as error:
            raise UsageError(f"{folder / FILE} cannot be read ({error}); run the experiment again") from None


def timings_of(runs: Iterable[Run]) -> Timings:
    """Return the cost of these runs, by topic, draw and name, and of each strategy on average."""
    costs = [each for each in MEASURES.values() if each.kind == "cost"]
    rows = [
        msgspec.convert(
            {
                **named(run),
                **{each.name: tidied(each.of(run, Peers())) for each in costs},
                "fits": run.fits,
                "seconds": tidied(run.seconds),
            },
            Timing,
        )
        for run in sorted(runs, key=lambda run: (run.unit.topic, run.unit.draw, run.name))
    ]
    found = by_name(rows)
    return Timings(rows=tuple(rows), summary=tuple(_cost(found[name]) for name in sorted(found)))


def _cost(rows: Sequence[Timing]) -> Cost:
    a_page = [row.cpu_ms_per_page for row in rows if row.cpu_ms_per_page is not None]
    return Cost(
        strategy=rows[0].strategy,
        name=rows[0].name,
        cpu_ms_per_page=tidied(fmean(a_page)) if a_page else None,
        fit_seconds=round(fmean(row.fit_seconds for row in rows), 6),
        bytes_a_url=round(fmean(row.bytes_a_url for row in rows), 1),
    )
