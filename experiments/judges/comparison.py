"""How good are the judges, from a name, from a few examples, from many?

    python -m experiments.judges --split development     # to look for bugs, and to tune
    python -m experiments.judges --split test            # for docs/judges.md, once nothing is tuned any more

Every topic of the split is drawn five times. A draw divides the pages of a web into those for training and
those to be judged; all judges get the same draws.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import msgspec
import numpy as np

from experiments.judges.measures import best_f1, calibration_error, f1, roc_auc
from experiments.judges.page import as_markdown
from experiments.judges.picture import as_picture
from experiments.judges.recorded import SPLITS, WEBKB, WIKISPEEDIA, Labelled, Subject, pages_of, subjects_of
from experiments.judges.rows import BACKGROUND, EXAMPLES, FEW, MANY, NAME, POSITIVES, Row
from homing.errors import UsageError
from homing.judge import JUDGES, Brief
from homing.model import Page

ROOT = Path(__file__).parents[2]
OTHERS = 1000
"""Pages off the topic that are judged in a draw; they are weighted to stand for those left out."""


@dataclass(frozen=True)
class Draw:
    """The pages for training and those to be judged."""

    name: str
    examples: tuple[Page, ...]
    positives: tuple[Page, ...]
    background: tuple[Page, ...]
    judged: Sequence[Page]
    truth: Sequence[bool]
    weights: Sequence[float]

    @classmethod
    def of(cls, pages: Sequence[Labelled], subject: Subject, number: int, others: int = OTHERS) -> Draw:
        dice = random.Random(f"{subject.web} {subject.label} {number}")
        dealt = dice.sample(pages, len(pages))
        on = [each.page for each in dealt if each.is_on(subject.label)]
        positives = on[: min(POSITIVES, len(on) // 2)]
        training = set(map(id, positives))
        # Drawn from all other pages, as a user would: a few of them are on the topic.
        rest = [each for each in dealt if id(each.page) not in training]
        dice.shuffle(rest)
        background, judged = rest[:BACKGROUND], rest[BACKGROUND:]
        unseen = [each.page for each in judged if each.is_on(subject.label)]
        off = [each.page for each in judged if not each.is_on(subject.label)]
        shown = off[:others]
        return cls(
            name=subject.name,
            examples=tuple(positives[: min(EXAMPLES, len(on) // 3)]),
            positives=tuple(positives),
            background=tuple(each.page for each in background),
            judged=[*unseen, *shown],
            truth=[True] * len(unseen) + [False] * len(shown),
            weights=[1.0] * len(unseen) + [len(off) / len(shown)] * len(shown),
        )


@dataclass(frozen=True)
class Contender:
    """A judge, and what it is given of the topic."""

    judge: str
    told: str
    brief: Callable[[Draw], Brief]


def _from_name(draw: Draw) -> Brief:
    return Brief(text=draw.name)


def _from_examples(draw: Draw) -> Brief:
    return Brief(examples=draw.examples)


def _from_many(draw: Draw) -> Brief:
    return Brief(examples=draw.positives, unlabelled=draw.background)


CONTENDERS = [
    Contender("keywords", NAME, _from_name),
    Contender("examples", FEW, _from_examples),
    *(Contender(judge, MANY, _from_many) for judge in ("bayes", "svm", "neural")),
    *(Contender(judge, FEW, _from_examples) for judge in ("bayes", "svm", "neural")),
    Contender("decimal", NAME, _from_name),
    Contender("decimal", FEW, _from_examples),
]


def row_of(contender: Contender, draw: Draw, subject: Subject, number: int) -> Row:
    """Return the figures of the contender on one draw."""
    began = time.process_time()
    try:
        judge = JUDGES.get(contender.judge)(contender.brief(draw))
    except UsageError as error:
        # A taxonomy need not have a word for every topic; then it scores all pages the same.
        scores, note = np.zeros(len(draw.judged)), str(error)
        fitted = judged = time.process_time()
    else:
        fitted = time.process_time()
        scores, note = np.array([judge.judge(page).score for page in draw.judged]), ""
        judged = time.process_time()
    truth, weights = np.array(draw.truth), np.array(draw.weights)
    return Row(
        web=subject.web,
        topic=subject.label,
        name=subject.name,
        draw=number,
        judge=contender.judge,
        told=contender.told,
        share=float(weights[truth].sum() / weights.sum()),
        roc_auc=roc_auc(scores, truth),
        f1=f1(scores, truth, weights),
        best_f1=best_f1(scores, truth, weights),
        calibration_error=calibration_error(scores, truth, weights),
        ms_per_page=(judged - fitted) / len(draw.judged) * 1000,
        fit_seconds=fitted - began,
        note=note,
    )


class Finished:
    """Rows of an earlier run by judge and draw; new ones are appended as they are computed."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_bytes().splitlines() if path and path.exists() else []
        rows = [msgspec.json.decode(line, type=Row) for line in lines]
        self.rows = {(row.web, row.topic, row.draw, row.judge, row.told): row for row in rows}

    def row(self, contender: Contender, subject: Subject, number: int, draw: Callable[[], Draw]) -> Row:
        key = (subject.web, subject.label, number, contender.judge, contender.told)
        if key not in self.rows:
            self.rows[key] = row = row_of(contender, draw(), subject, number)
            if self.path:
                with self.path.open("ab") as file:
                    file.write(msgspec.json.encode(row) + b"\n")
        return self.rows[key]


def run(options: argparse.Namespace) -> Iterator[Row]:
    """Run every contender on every draw of every topic."""
    finished = Finished(options.rows)
    contenders = [each for each in CONTENDERS if each.judge in (options.judges or JUDGES.names())]
    for web in (WIKISPEEDIA, WEBKB):
        pages = pages_of(options.webs / web, options.cache)
        subjects = subjects_of(options.webs / web, options.split)
        for subject in subjects[:: options.every if web == WIKISPEEDIA else 1]:
            for number in range(options.draws):
                draw = cache(partial(Draw.of, pages, subject, number, options.others))
                for contender in contenders:
                    yield finished.row(contender, subject, number, draw)
            print(subject.web, subject.name, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.judges", description=__doc__)
    parser.add_argument("--split", choices=SPLITS, default=SPLITS[0])
    parser.add_argument("--webs", type=Path, default=ROOT.parent / "shared" / "data" / "webs")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only every N-th topic of wikispeedia"
    )
    parser.add_argument("--others", type=int, default=OTHERS, help="pages off the topic judged in a draw")
    parser.add_argument("--judges", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "homing-experiments")
    parser.add_argument("--rows", type=Path, help="a file of finished rows: they are not run again")
    parser.add_argument("--out", type=Path, help="the page; docs/judges.md for the test topics")
    options = parser.parse_args()
    rows = list(run(options))
    out = options.out or (ROOT / "docs" / "judges.md" if options.split == "test" else None)
    page = as_markdown(
        rows,
        split=options.split,
        others=options.others,
        every=options.every,
        picture=f"{out.stem}.svg" if out else "",
    )
    if out is None:
        print(page)
    else:
        out.write_text(page)
        out.with_suffix(".svg").write_text(as_picture(rows))
