"""Results as tables: for the terminal, and as Markdown for generated pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from homing.lab.results.compare import Comparison
from homing.lab.results.file import Results, Summary
from homing.lab.results.intervals import Estimate
from homing.lab.results.measures import measure
from homing.lab.results.timings import Timings

_SHOWN = ("auc_budget", "recall", "harvest", "auc", "oracle_share")
_TITLES = {
    "auc_budget": "AUC to budget",
    "recall": "recall",
    "harvest": "harvest",
    "auc": "AUC",
    "oracle_share": "of the oracle",
    "average_similarity": "avg. similarity",
    "average_similarity_eq10": "avg. similarity (eq. 10)",
    "apr": "APR",
}


class Sheet(Struct, frozen=True, kw_only=True):
    """A table for the terminal or a page: words in the first column, figures in the others."""

    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def as_rich(self) -> RenderableType:
        """Return the table for the terminal, within its width."""
        return _Fitted(self)

    def as_markdown(self) -> str:
        """Return the table as Markdown, with notes below."""
        lines = [self.headings, ("---", *["---:"] * (len(self.headings) - 1)), *self.lines]
        table = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([*table, *(f"\n{note}" for note in self.notes), ""])


class _Fitted:
    """As many whole columns as fit: a number that is cut off would be another number."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        sheet = self._sheet
        columns = list(zip(sheet.headings, *sheet.lines, strict=True))
        # Names stay on one line; other cells may break at a space, with the interval below its mean.
        least = [max(map(len, columns[0]))] + [
            max(len(word) for cell in cells for word in cell.split() or [""]) for cells in columns[1:]
        ]
        needed = accumulate(width + 2 for width in least)
        shown = max(2, sum(width <= options.max_width for width in needed))
        table = Table(box=None, padding=(0, 2, 0, 0))
        for place, heading in enumerate(sheet.headings[:shown]):
            table.add_column(
                Text(heading),
                justify="right" if place else "left",
                min_width=least[place],
                no_wrap=not place,
                overflow="fold",
            )
        for line in sheet.lines:
            table.add_row(*map(Text, line[:shown]))
        yield table
        if sheet.headings[shown:]:
            left_out = ", ".join(sheet.headings[shown:])
            yield Text(f"A wider terminal shows also: {left_out}.", style="dim")
        yield from (Text(note, style="dim") for note in sheet.notes)


def summary_sheet(
    results: Results, timings: Timings | None = None, *, measures: Sequence[str] = _SHOWN
) -> Sheet:
    """Return a line for each strategy, best first by ``auc_budget``, with intervals; the oracle is on top.

    Parameters
    ----------
    measures
        Columns, by name; only those for which a run has a value are shown.
    """
    names = [measure(name).name for name in measures]
    shown = [name for name in names if any(name in each.estimates for each in results.summary)]
    summary = sorted(results.summary, key=lambda each: not each.is_limit)
    costs = [_cost(each, timings) for each in summary]
    headings = ["strategy", *map(_title, shown), "pages to 50 %", "to 90 %"]
    lines = [_line(each, shown) for each in summary]
    if any(costs):
        headings.append("CPU ms")
        lines = [(*line, cost) for line, cost in zip(lines, costs, strict=True)]
    return Sheet(headings=tuple(headings), lines=tuple(lines), notes=tuple(_notes(results)))


def comparison_sheet(comparisons: Iterable[Comparison]) -> Sheet:
    """Return a line for each comparison, the greatest difference first."""
    ordered = sorted(comparisons, key=lambda each: (each.against, -each.mean, each.strategy))
    lines = [
        (
            each.strategy,
            each.against,
            _signed(each.mean),
            each.verdict,
            f"{_signed(each.low)} to {_signed(each.high)}" if each.low is not None else "",
            _p(each.p),
            _p(each.p_holm),
            str(each.units),
        )
        for each in ordered
    ]
    what = ", ".join(_title(name) for name in dict.fromkeys(each.measure for each in ordered))
    headings = ("strategy", "against", "difference", "verdict", "95 % interval", "p", "p (Holm)", "topics")
    note = (
        f"Difference in {what or 'nothing'}, paired by topic and draw. Better or worse only where the "
        "interval excludes 0; fewer than six independent topics are reported and not tested."
    )
    return Sheet(headings=headings, lines=tuple(lines), notes=(note,))


def with_interval(known: Estimate | None) -> str:
    """Return a mean and its interval as text.

    >>> with_interval(Estimate(0.5139, 0.4, 0.625)), with_interval(None)
    ('.514 (.400–.625)', '')
    """
    if known is None:
        return ""
    if known.low is None or known.high is None:
        return short(known.mean)
    return f"{short(known.mean)} ({short(known.low)}–{short(known.high)})"


def short(value: float) -> str:
    """Return three decimals without a leading zero.

    >>> short(0.9514), short(-0.02), short(-0.0001), short(10.5)
    ('.951', '-.020', '.000', '10.500')
    """
    text = f"{round(value, 3) + 0.0:.3f}"  # the sum turns -0 into 0
    return text.replace("0.", ".", 1) if abs(value) < 0.9995 else text


def _line(each: Summary, measures: Iterable[str]) -> tuple[str, ...]:
    name = f"{each.name} (the limit)" if each.is_limit else each.name
    figures = [with_interval(each.estimates.get(measure)) for measure in measures]
    return (name, *figures, _pages(each.pages_to_50), _pages(each.pages_to_90))


def _notes(results: Results) -> Iterable[str]:
    topics = len({row.topic for row in results.rows})
    draws = len({row.draw for row in results.rows})
    clusters = ", resampled by cluster" if results.clusters else ""
    yield (
        f"{results.web}: means over {_count(topics, 'topic')} of {_count(draws, 'draw')} each, "
        f"with 95 % bootstrap intervals over topics{clusters}; "
        "pages to 50 and 90 % of the targets are medians; CPU time is a page's."
    )
    fewer = [f"{each.name} ({each.units})" for each in results.summary if each.units < topics]
    if fewer:
        yield f"Not run on every topic: {', '.join(fewer)}."
    rules = {key.replace("_", " "): _worded(value) for key, value in results.settings.items()}
    if any(rules.values()):
        yield "; ".join(f"{key}: {words}" for key, words in rules.items() if words) + "."


def _cost(each: Summary, timings: Timings | None) -> str:
    """Return the CPU time as text; none for the oracle, which no crawl could use."""
    known = timings.cpu_ms(each.name) if timings and not each.is_limit else None
    return "" if known is None else f"{known:.2g}" if known < 1 else f"{known:.1f}"


def _title(name: str) -> str:
    return _TITLES.get(name, name.replace("_", " "))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _worded(value: object) -> str:
    """Return a setting as text; empty for one that is empty.

    >>> _worded(["*/a", "*/b"]), _worded({"name": "svm", "label": ""}), _worded(0.1)
    ('*/a, */b', 'svm', '0.1')
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(_worded, value)))
    return str(value)


def _pages(value: float | None) -> str:
    return "never" if value is None else f"{value:,.0f}"


def _signed(value: float | None) -> str:
    return "" if value is None else ("+" if value > 0 else "") + short(value)


def _p(value: float | None) -> str:
    return "" if value is None else ("< .001" if value < 0.001 else short(value))
