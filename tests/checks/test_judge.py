"""The battery finds every judge that breaks a promise: each check fails for one of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace
from tests.checks.complaints import complaints_in

from homing.checks import judge
from homing.checks.judge import check_judge
from homing.judge import Brief, Judge
from homing.judge.keywords import Keywords
from homing.model import Judgement, Page, Topic


class Nameless(Judge):
    """Has no name."""

    def judge(self, page: Page) -> Judgement:
        return self.judgement(0.0)

    def rate(self, texts: list[str]) -> list[float]:
        return [0.0] * len(texts)


class Undocumented(Keywords):
    pass


class Enthusiastic(Keywords):
    """Scores above 1."""

    def judge(self, page: Page) -> Judgement:
        judgement = super().judge(page)
        return replace(judgement, score=3 * judgement.score)


class Lenient(Keywords):
    """Calls relevant what is not."""

    def judge(self, page: Page) -> Judgement:
        return replace(super().judge(page), relevant=True)


class Anonymous(Keywords):
    """Does not sign its judgements."""

    def judge(self, page: Page) -> Judgement:
        return replace(super().judge(page), judge="")


class Infinite(Keywords):
    """Gives a word a weight without end."""

    def judge(self, page: Page) -> Judgement:
        return replace(super().judge(page), why=(("butterfly", float("inf")),))


class Upside(Keywords):
    """Names the words that decided in the order of the alphabet."""

    def judge(self, page: Page) -> Judgement:
        return replace(super().judge(page), why=(("a", 0.1), ("b", 0.2)))


class Moody(Keywords):
    """Changes its mind."""

    calls = 0

    def judge(self, page: Page) -> Judgement:
        self.calls += 1
        return self.judgement(super().judge(page).score / self.calls)


class Homesick(Keywords):
    """Judges otherwise in another process."""

    at_home = True

    def __setstate__(self, state: Mapping[str, object]) -> None:
        vars(self).update(state, at_home=False)

    def judge(self, page: Page) -> Judgement:
        return self.judgement(super().judge(page).score / (1 if self.at_home else 2))


class Forgetful(Keywords):
    """Leaves out texts in which it finds nothing."""

    def rate(self, texts: list[str]) -> list[float]:
        return [rating for rating in super().rate(texts) if rating]


class Exuberant(Keywords):
    """Rates above 1."""

    def rate(self, texts: list[str]) -> list[float]:
        return [3 * rating for rating in super().rate(texts)]


class Presumptuous(Keywords):
    """Rates a text where there is none."""

    def rate(self, texts: list[str]) -> list[float]:
        return super().rate(texts) or [0.0]


class Comparing(Keywords):
    """Rates texts by the best of them."""

    def rate(self, texts: list[str]) -> list[float]:
        ratings = super().rate(texts)
        return [rating / max(max(ratings), 1e-9) for rating in ratings]


class Divided(Keywords):
    """Lets its topic rate otherwise."""

    def topic(self) -> Topic:
        return replace(super().topic(), rate=self.halved)

    def halved(self, texts: list[str]) -> list[float]:
        return [rating / 2 for rating in self.rate(texts)]


class Contrary(Keywords):
    """Likes what is off the topic."""

    def judge(self, page: Page) -> Judgement:
        return self.judgement(1 - super().judge(page).score)


class Perverse(Keywords):
    """Likes links that lead away from the topic."""

    def rate(self, texts: list[str]) -> list[float]:
        return [1 - rating for rating in super().rate(texts)]


BROKEN: list[tuple[Callable[[Brief], Judge], str]] = [
    (Nameless, "a judge needs a name"),
    (Undocumented, "a judge needs a docstring"),
    (Enthusiastic, "a score must be from 0 to 1"),
    (Lenient, "relevant means"),
    (Anonymous, "a judgement names its judge"),
    (Infinite, "a part of the score is not finite"),
    (Upside, "heaviest first"),
    (Moody, "one page gets two judgements"),
    (Homesick, "a copy judges otherwise"),
    (Forgetful, "one rating a text"),
    (Exuberant, "ratings must be from 0 to 1"),
    (Presumptuous, "an empty list"),
    (Comparing, "rated otherwise beside other texts"),
    (Divided, "the topic must rate as its judge does"),
    (Contrary, "pages on the topic do not score higher"),
    (Perverse, "links to the topic are not rated higher"),
]


@pytest.mark.parametrize(("make", "complaint"), BROKEN)
def test_a_judge_that_breaks_a_promise_is_found(make: Callable[[Brief], Judge], complaint: str) -> None:
    with pytest.raises(AssertionError) as found:
        check_judge(make)
    assert complaint in str(found.value)


def test_no_check_lacks_a_judge_that_it_fails_for() -> None:
    for said in complaints_in(judge):
        assert any(complaint in said for _, complaint in BROKEN), said
