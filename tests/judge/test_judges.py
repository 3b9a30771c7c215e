"""Every judge there is, by the contract of ``homing.judge.base``."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from homing.checks.judge import check_judge
from homing.judge import JUDGES, Brief
from homing.judge.keywords import Keywords
from homing.model import Judgement, Page


@pytest.mark.parametrize("name", JUDGES.names())
def test_every_judge_passes_the_battery(name: str) -> None:
    check_judge(JUDGES.get(name))


@pytest.mark.parametrize("name", JUDGES.names())
def test_every_judge_is_documented(name: str) -> None:
    doc = inspect.getdoc(JUDGES.get(name)) or ""
    assert all(f"{section}\n{'-' * len(section)}\n" in doc for section in ("Examples", "References"))
    description = JUDGES.describe(name)
    assert description["summary"].endswith(".")
    assert all(parameter["help"] for parameter in description["parameters"])


class Moody(Keywords):
    """Changes its mind."""

    calls = 0

    def judge(self, page: Page) -> Judgement:
        self.calls += 1
        judgement = super().judge(page)
        return replace(
            judgement, score=judgement.score / self.calls, relevant=judgement.score / self.calls >= 0.5
        )


class Lenient(Keywords):
    """Calls relevant what is not."""

    def judge(self, page: Page) -> Judgement:
        return replace(super().judge(page), relevant=True)


class Contrary(Keywords):
    """Likes what is off the topic."""

    def judge(self, page: Page) -> Judgement:
        return self.judgement(1 - super().judge(page).score)


class Forgetful(Keywords):
    """Leaves out texts in which it finds nothing."""

    def rate(self, texts: list[str]) -> list[float]:
        return [rating for rating in super().rate(texts) if rating]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (Moody, "one page gets two judgements"),
        (Lenient, "relevant means"),
        (Contrary, "pages on the topic do not score higher"),
        (Forgetful, "one rating a text"),
    ],
)
def test_the_battery_finds_a_judge_that_breaks_its_promises(
    make: Callable[[Brief], Keywords], complaint: str
) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_judge(make)
