"""Scores of short texts: those of many at once are those of each alone."""

from __future__ import annotations

import math

import pytest

from homing.judge.trained.features import Reader
from homing.judge.trained.linear import Linear, Nearest, Scorer

TEXTS = [
    "See the gardens where butterflies, and more butterflies, drink nectar",
    "butterfly",
    "",
    "the and of",
    "trains to the coast are late again, and so are the gardens' trains",
    "Schmetterlinge im Garten",
    "蝴蝶花园",
]
GARDEN = {"butterfli": 2.0, "garden": 0.5, "train": -1.0, "schmetterling": 1.5, "蝴蝶": 3.0}


@pytest.mark.parametrize("languages", [("en",), ("de",), ("en", "de")])
@pytest.mark.parametrize(
    "scorer",
    [Linear(GARDEN, bias=-0.25), Linear({}, bias=0.5), Nearest([GARDEN, {"train": 1.0}])],
    ids=["linear", "empty", "nearest"],
)
def test_many_texts_at_once_score_as_each_alone(scorer: Scorer, languages: tuple[str, ...]) -> None:
    reader = Reader(languages)
    alone = [scorer.score(vector) if (vector := reader.short(text)) else -math.inf for text in TEXTS]
    assert scorer.short_scores(TEXTS, reader) == pytest.approx(alone)
    assert scorer.short_scores([], reader) == []
