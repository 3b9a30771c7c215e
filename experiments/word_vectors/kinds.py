"""What kinds of things nouns name, by WordNet: a chaffinch is a finch, a finch a bird, a bird an animal.

Each noun is a bag of all its kinds, by its first senses; rare kinds count for more than those of nearly
everything. The noun is projected onto the directions in which these bags differ most.
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
"""Most frequent senses of a noun that are used; the second counts for half."""

Floats = NDArray[np.float32]


class Kinds(NamedTuple):
    """Nouns, some of several words, and a vector of the kinds of things each names."""

    nouns: list[str]
    vectors: Floats
    """Unit vectors."""


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


def read_glosses(folder: Path) -> dict[str, str]:
    """Read the WordNet gloss of the most frequent sense of each noun, without its quotations."""
    glosses = {
        line.split()[0]: line.partition("|")[2].partition('"')[0].strip(" ;\n")
        for line in _lines(folder / "data.noun")
    }
    return {noun: glosses[things[0]] for noun, things in _senses(folder / "index.noun")}


def _things(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each thing by its number, with the things that it is a kind or an instance of."""
    for line in _lines(path):
        fields = line.partition("|")[0].split()
        first = 5 + 2 * int(fields[3], 16)  # after its names; then four fields for each pointer
        pointers = zip(fields[first::4], fields[first + 1 :: 4], strict=False)
        yield fields[0], [thing for symbol, thing in pointers if symbol in ("@", "@i")]


def _senses(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each noun with the numbers of the things it may name, the most frequent first."""
    for line in _lines(path):
        fields = line.split()
        yield fields[0].replace("_", " "), fields[6 + int(fields[3]) :]


def _lines(path: Path) -> Iterator[str]:
    """Yield all lines but the licence, which is indented."""
    with path.open(encoding="latin-1") as lines:
        yield from (line for line in lines if not line.startswith("  "))
