"""The page docs/judges.md, written from the rows of the experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from statistics import mean

from experiments.judges.recorded import WEBKB, WIKISPEEDIA
from experiments.judges.rows import BACKGROUND, BARS, EXAMPLES, POSITIVES, Line, Row, Value, lines_of

AUC: Value = attrgetter("roc_auc")
F1: Value = attrgetter("f1")
BEST: Value = attrgetter("best_f1")
ERROR: Value = attrgetter("calibration_error")
MS: Value = attrgetter("ms_per_page")


def as_markdown(rows: Sequence[Row], *, split: str, others: int, every: int = 1, picture: str = "") -> str:
    return "\n".join(
        [*_introduction(rows, split, others, every), *_wikispeedia(rows, picture), *_webkb(rows), ""]
    )


def _introduction(rows: Sequence[Row], split: str, others: int, every: int) -> Iterator[str]:
    draws = 1 + max(row.draw for row in rows)
    topics = len({row.topic for row in rows if row.web == WIKISPEEDIA})
    chosen = "all of them" if every == 1 else f"one in every {every}"
    tuned = "the same topics, so they flatter" if split == "development" else "the other topics of the split"
    yield f"""# The judges compared

Written by `make judges`: nothing on this page is typed. Shown are {topics} {split} topics of wikispeedia,
{chosen} in the order of its split file, and the {split} classes of webkb. The judges were tuned on {tuned}.

**What is measured.** A judge is given a topic, then judges pages it has not seen. The truth is the labels
that people gave these pages.

- *ROC-AUC*: the chance that a page on the topic scores higher than one that is not.
- *F1*: precision and recall, in one figure, of the pages it calls relevant (a score of one half or more).
  Only {100 * mean(row.share for row in rows):.1f} % of the pages judged are on the topic, so a few mistakes
  among the others cost much. *Best* is the F1 at the best threshold instead of one half, chosen with the
  labels known.
- *Calibration error*: how far a score is from the share of pages on the topic among those with that score;
  ten bins of equal width, each weighted by its pages. 0 is best.
- *ms a page*: CPU time of judging one parsed page.

**How it is drawn.** Each topic is drawn {draws} times. Of its pages, in random order, the first {POSITIVES}
are the positives (half of them if there are fewer than {2 * POSITIVES}), and the first {EXAMPLES} of these
are the examples. {BACKGROUND} pages drawn from all the others are the background; they are unlabelled, and
some are on the topic. Judged are all other pages on the topic and {others:,} of the rest, each of which is
weighted to stand for those left out, so that F1 and calibration error are those of the whole web. A name is
the last part of the topic's label with its words separated. Every article of wikispeedia names its own
labels in a heading (“Related subjects”): that line is removed before the page is used. Pages without a label,
the lists of topics among them, are left out.

Intervals are 95 % bootstrap intervals over topics, of means over the draws of a topic.
"""


def _wikispeedia(rows: Sequence[Row], picture: str) -> Iterator[str]:
    lines = lines_of(rows, WIKISPEEDIA)
    if not lines:
        return
    yield "## wikispeedia: an encyclopedia\n"
    yield "| judge | told of the topic | ROC-AUC | bar | F1 | best | calibration error | ms a page |"
    yield "|---|---|---|---|---|---|---|---|"
    for line in lines:
        auc = line.mean_of(AUC)
        bar = BARS.get((line.judge, line.told))
        reached = "" if bar is None else f"≥ {_short(bar)}: {'yes' if auc >= bar else 'NO'}"
        yield (
            f"| `{line.judge}` | {line.told} | {_with_interval(line, AUC)} | {reached} "
            f"| {_with_interval(line, F1)} | {_short(line.mean_of(BEST))} "
            f"| {_with_interval(line, ERROR)} | {line.mean_of(MS):.2f} |"
        )
    yield ""
    if picture:
        yield f"![ROC-AUC of every judge with its interval]({picture})\n"
    yield "The topics each finds hardest, by ROC-AUC:\n"
    yield "| judge | told of the topic | hardest topics |"
    yield "|---|---|---|"
    for line in lines:
        ranked = sorted(line.by_topic(AUC).items(), key=lambda topic: topic[1])
        hardest = " · ".join(f"{_leaf(topic)} {_short(auc)}" for topic, auc in ranked[:4])
        yield f"| `{line.judge}` | {line.told} | {hardest} |"
    yield ""
    yield from _without_words(lines)


def _without_words(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        topics = sorted({_leaf(row.topic) for row in line.rows if row.note})
        if topics:
            yield (
                f"`{line.judge}`, told {line.told}, has no words for {', '.join(topics)}: there every "
                f"page scores 0.\n"
            )


def _webkb(rows: Sequence[Row]) -> Iterator[str]:
    lines = lines_of(rows, WEBKB)
    if not lines:
        return
    yield "## webkb: pages of university departments\n"
    yield (
        "Its classes are kinds of pages rather than subjects. With so few of them there is no interval; "
        "shown are the mean and, in brackets, the lowest and highest of all draws.\n"
    )
    yield "| judge | told of the topic | class | ROC-AUC | F1 | best | calibration error | ms a page |"
    yield "|---|---|---|---|---|---|---|---|"
    for line in lines:
        for name in dict.fromkeys(row.name for row in line.rows):
            one = Line(line.judge, line.told, [row for row in line.rows if row.name == name])
            yield (
                f"| `{one.judge}` | {one.told} | {name} | {_with_range(one, AUC)} | {_with_range(one, F1)} "
                f"| {_short(one.mean_of(BEST))} | {_with_range(one, ERROR)} | {one.mean_of(MS):.2f} |"
            )


def _leaf(topic: str) -> str:
    return topic.rpartition(".")[2].replace("_", " ")


def _with_interval(line: Line, value: Value) -> str:
    low, high = line.interval_of(value)
    return f"**{_short(line.mean_of(value))}** ({_short(low)} to {_short(high)})"


def _with_range(line: Line, value: Value) -> str:
    values = [value(row) for row in line.rows]
    return f"**{_short(mean(values))}** ({_short(min(values))} to {_short(max(values))})"


def _short(value: float) -> str:
    """Return three digits without a leading zero.

    >>> _short(0.9514), _short(1.0)
    ('.951', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")
