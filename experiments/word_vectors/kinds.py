"""What kinds of things nouns name, by WordNet: a chaffinch is a finch, that is a bird, that is an animal.

Each noun is a bag of all kinds that it is of, by its first senses; what few things are counts for more than
what nearly everything is. The directions in which these bags differ most are its vector.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD  # type: ignore[import-untyped]
from sklearn.feature_extraction import DictVectorizer  # type: ignore[import-untyped]
from sklearn.preprocessing import normalize  # type: ignore[import-untyped]

DIRECTIONS = 128
SENSES = 2
"""Of the senses of a noun, the commonest; the second counts for half."""

Floats = NDArray[np.float32]


class Kinds(NamedTuple):
    """Nouns, some of several words, and what kinds of things each names."""

    nouns: list[str]
    vectors: Floats
    """One long each."""


def read_kinds(folder: Path) -> Kinds:
    """Read the files ``data.noun`` and ``index.noun`` of WordNet 3.1."""
    above, senses = dict(_things(folder / "data.noun")), dict(_senses(folder / "index.noun"))

    @cache
    def kinds_of(thing: str) -> frozenset[str]:
        return frozenset({thing}).union(*map(kinds_of, above[thing]))

    counts = Counter(kind for thing in above for kind in kinds_of(thing))
    rarity = {kind: math.log(len(above) / count) for kind, count in counts.items()}
    bags: list[defaultdict[str, float]] = []
    for things in senses.values():
        bags.append(defaultdict(float))
        for rank, thing in enumerate(things[:SENSES], 1):
            for kind in kinds_of(thing):
                bags[-1][kind] += rarity[kind] / rank
    one_long = normalize(DictVectorizer(dtype=np.float32).fit_transform(bags))
    return Kinds(list(senses), normalize(TruncatedSVD(DIRECTIONS, random_state=0).fit_transform(one_long)))


def read_explanations(folder: Path) -> dict[str, str]:
    """Read how WordNet explains the most frequent sense of each noun, without the sentences it quotes."""
    explained = {
        line.split()[0]: line.partition("|")[2].partition('"')[0].strip(" ;\n")
        for line in _lines(folder / "data.noun")
    }
    return {noun: explained[things[0]] for noun, things in _senses(folder / "index.noun")}


def _things(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Return each thing by its number, with the things that it is a kind of or one of."""
    for line in _lines(path):
        fields = line.partition("|")[0].split()
        first = 5 + 2 * int(fields[3], 16)  # behind its names; then four fields a pointer
        pointers = zip(fields[first::4], fields[first + 1 :: 4], strict=False)
        yield fields[0], [thing for symbol, thing in pointers if symbol in ("@", "@i")]


def _senses(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Return each noun with the numbers of the things it may name, the commonest first."""
    for line in _lines(path):
        fields = line.split()
        yield fields[0].replace("_", " "), fields[6 + int(fields[3]) :]


def _lines(path: Path) -> Iterator[str]:
    """Yield all lines but the licence, which is indented."""
    with path.open(encoding="latin-1") as lines:
        yield from (line for line in lines if not line.startswith("  "))
