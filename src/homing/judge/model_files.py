"""Judges in model files (``homing/modelfile.py``): write, read."""

from __future__ import annotations

from pathlib import Path

from homing.errors import ModelError, UsageError
from homing.judge import JUDGES
from homing.judge.base import Judge
from homing.modelfile import Model, Report, read_model, write_model


def save_judge(path: Path, judge: Judge, report: Report | None = None) -> None:
    """Write a trained judge to a file."""
    write_model(
        path,
        kind=judge.kind,
        name=judge.name,
        topic=judge.brief.text,
        trained_on={
            "positives": len(judge.brief.examples),
            "negatives": len(judge.brief.negatives),
            "unlabelled": len(judge.brief.unlabelled),
        },
        report=report,
        state=judge.state(),
    )


def load_judge(path: Path) -> Judge:
    """Read the judge in a model file."""
    return judge_in(read_model(path))


def judge_in(model: Model) -> Judge:
    """Return the judge of a model."""
    if model.kind != "judge":
        raise ModelError(f"{model.source} is a model of a {model.kind}, not of a judge")
    try:
        judge = JUDGES.get(model.name)
    except UsageError as error:
        raise ModelError(f"{model.source} cannot be used: {error}") from None
    try:
        return judge.from_state(model.state)
    except (ModelError, UsageError) as error:
        raise ModelError(f"{model.source} cannot be used: {error}") from None
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        # A valid file, and yet no state of that judge: edited by hand, or written by another version.
        problem = f'{model.source} holds no state of the judge "{model.name}"'
        raise ModelError(f"{problem} ({type(error).__name__}: {error}); train it again") from error
