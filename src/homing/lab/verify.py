"""Compare results with the values that an experiment expects."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from homing.errors import UsageError, did_you_mean
from homing.lab.experiment import Experiment
from homing.lab.results.file import Results
from homing.lab.results.measures import measure


class Finding(Struct, frozen=True, kw_only=True):
    """One expected value, and the result."""

    strategy: str
    measure: str
    expected: float
    tolerance: float
    found: float | None
    """``None`` if no run gave one."""

    @property
    def holds(self) -> bool:
        return self.found is not None and abs(self.found - self.expected) <= self.tolerance


def check_expected(experiment: Experiment) -> None:
    """Raise an error for an expectation of an unknown strategy or measure."""
    if not experiment.expected:
        raise UsageError("nothing is expected; say what in [expected.breadth-first]: auc = [0.28, 0.02]")
    titles = {each.title for each in experiment.strategies}
    for name, values in experiment.expected.items():
        if name not in titles:
            raise UsageError(f'"{name}" is expected but not run{did_you_mean(name, titles)}')
        for each in values:
            if measure(each).kind != "quality":
                raise UsageError(
                    f'"{each}" cannot be expected: it is not the same each time, or not always there'
                )


def findings(experiment: Experiment, results: Results) -> Iterator[Finding]:
    """Yield each expected value with the mean that was found."""
    summaries = {each.name: each for each in results.summary}
    for name, values in experiment.expected.items():
        for each, (expected, tolerance) in values.items():
            found = summaries[name].mean(measure(each).name) if name in summaries else None
            yield Finding(strategy=name, measure=each, expected=expected, tolerance=tolerance, found=found)
