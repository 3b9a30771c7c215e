"""Terms as numbers."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from homing.text.hashing import BUCKETS, bucket, hashed
from homing.text.languages import background
from homing.text.words import bag, terms


@given(st.lists(st.text(max_size=60), max_size=5), st.sampled_from(["en", "de", "ja", "xx"]))
def test_the_numbers_of_a_text_are_those_of_its_terms_in_order(texts: list[str], language: str) -> None:
    numbers, borders = hashed(texts, language)
    assert borders[0] == 0
    assert borders[-1] == len(numbers)
    for text, (begin, end) in zip(texts, pairwise(borders), strict=True):
        assert numbers[begin:end].tolist() == [bucket(term) for term in terms(text, language)]


def test_weights_are_looked_up_for_a_whole_page_at_once() -> None:
    weights = np.zeros(BUCKETS)
    weights[bucket("butterfli")] = 2.0
    numbers, borders = hashed(["Butterflies and a butterfly", "the garden", ""])
    sums = [weights[numbers[begin:end]].sum() for begin, end in pairwise(borders)]
    assert sums == [4.0, 0.0, 0.0]


def test_another_process_gives_a_term_the_same_number() -> None:
    code = "from homing.text.hashing import hashed; print(*hashed(['garden', 'сад', '花园'])[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [int(number) for number in done.stdout.split()] == [
        bucket("garden"),
        bucket("сад"),
        bucket("花园"),
    ]


def test_common_words_hardly_ever_share_a_number() -> None:
    common = {term for words in background("en") for term in bag(" ".join(words))}
    crowds = Counter(map(bucket, common))
    alone = sum(crowds[bucket(term)] == 1 for term in common) / len(common)
    # What chance gives: exp(-n / buckets).
    assert abs(alone - np.exp(-len(common) / BUCKETS)) < 0.01
    assert alone > 0.85
