"""The results of an experiment as a file: ``results.json``. The same runs give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from homing.errors import UsageError
from homing.files import whole_file
from homing.lab.results.compare import Comparison, against
from homing.lab.results.intervals import Clusters, Estimate, estimate
from homing.lab.results.measures import MEASURES, ORACLE
from homing.lab.results.rows import Row, by_name, by_topic, median_pages, rows_of
from homing.lab.runs import Run

FILE = "results.json"


class Summary(Struct, frozen=True, kw_only=True):
    """The means of a strategy over topics, after averaging each topic's draws."""

    strategy: str
    name: str
    params: dict[str, object]
    units: int
    """Number of topics."""
    runs: int
    pages_to_50: float | None
    pages_to_90: float | None
    """Medians; ``None`` if half of the topics or more do not get there."""
    estimates: dict[str, Estimate]
    """Estimates by measure. In the file each is three keys: ``auc_mean``, ``auc_low``, ``auc_high``."""

    @property
    def is_limit(self) -> bool:
        """Whether it is that of the oracle, the limit."""
        return self.strategy == ORACLE

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure; of ``pages_to_50`` and ``pages_to_90`` the median."""
        if measure in ("pages_to_50", "pages_to_90"):
            return self.pages_to_50 if measure == "pages_to_50" else self.pages_to_90
        known = self.estimates.get(measure)
        return known.mean if known else None


class Results(Struct, frozen=True, kw_only=True):
    """Results of an experiment."""

    web: str
    settings: dict[str, object]
    """The rules of the experiment, shown with every table."""
    clusters: dict[str, str]
    rows: tuple[Row, ...]
    summary: tuple[Summary, ...]
    """Summaries, best first by ``auc_budget``."""
    comparisons: tuple[Comparison, ...]

    def write(self, folder: Path) -> None:
        with whole_file(folder / FILE) as file:
            file.write(self.as_json())

    def as_json(self) -> bytes:
        """Return one document, indented."""
        flat = {**msgspec.structs.asdict(self), "summary": [_flat(each) for each in self.summary]}
        return msgspec.json.format(msgspec.json.encode(flat), indent=2) + b"\n"

    @staticmethod
    def read(folder: Path) -> Results:
        """Read the results in a folder that ``homing lab run`` has written."""
        path = folder / FILE
        try:
            tables = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
            summary = msgspec.convert(tables["summary"], list[dict[str, object]])
            return msgspec.convert({**tables, "summary": [_deep(each) for each in summary]}, Results)
        except FileNotFoundError:
            raise UsageError(f"{folder} holds no {FILE}; make one with `homing lab run`") from None
        except (OSError, KeyError, msgspec.DecodeError) as error:
            raise UsageError(f"{path} cannot be read ({error}); run the experiment again") from None


def results_of(
    runs: Iterable[Run],
    *,
    web: str,
    settings: Mapping[str, object] | None = None,
    clusters: Clusters | None = None,
    baseline: str = "breadth-first",
) -> Results:
    """Return all figures of these runs.

    Parameters
    ----------
    clusters
        Clusters of topics that are not independent; intervals resample them.
    baseline
        The strategy that every other one is compared with, if it was run.
    """
    rows = rows_of(runs)
    known = dict(sorted((clusters or {}).items()))
    was_run = any(row.name == baseline for row in rows)
    return Results(
        web=web,
        settings=dict(settings or {}),
        clusters=known,
        rows=rows,
        summary=summarise(rows, known),
        comparisons=against(rows, baseline, clusters=known) if was_run else (),
    )


def summarise(rows: Sequence[Row], clusters: Clusters | None = None) -> tuple[Summary, ...]:
    """Average each strategy over all topics, best first by ``auc_budget``."""
    found = [_summary(name, its, clusters or {}) for name, its in by_name(rows).items()]
    return tuple(sorted(found, key=lambda each: (-(each.mean("auc_budget") or 0.0), each.name)))


def _summary(name: str, rows: Sequence[Row], clusters: Clusters) -> Summary:
    means = {each.name: by_topic(rows, each.name) for each in MEASURES.values() if each.kind == "quality"}
    return Summary(
        strategy=rows[0].strategy,
        name=name,
        params=rows[0].params,
        units=len({row.topic for row in rows}),
        runs=len(rows),
        pages_to_50=median_pages(rows, "pages_to_50"),
        pages_to_90=median_pages(rows, "pages_to_90"),
        estimates={measure: estimate(values, clusters) for measure, values in means.items() if values},
    )


def _flat(summary: Summary) -> dict[str, object]:
    fields = msgspec.structs.asdict(summary)
    del fields["estimates"]
    for measure, known in summary.estimates.items():
        fields |= {f"{measure}_mean": known.mean, f"{measure}_low": known.low, f"{measure}_high": known.high}
    return fields


def _deep(fields: dict[str, object]) -> dict[str, object]:
    """Turn the three keys of each estimate back into one value."""
    estimates = {
        name: {end: fields[f"{name}_{end}"] for end in ("mean", "low", "high")}
        for name in MEASURES
        if f"{name}_mean" in fields
    }
    return {**fields, "estimates": estimates}
