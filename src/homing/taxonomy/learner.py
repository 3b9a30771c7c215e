"""Learn a taxonomy from labelled pages."""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from homing.errors import UsageError
from homing.taxonomy.numbering import Path, number
from homing.taxonomy.table import Subject, Taxonomy
from homing.text.words import stem, stop_words, terms, words

TERMS = 40
"""Default number of terms of a subject."""

_LEVELS = re.compile(r"[./]")
_SHORTEST = 2
_REPEATS = 2
"""A pair of words counts as a phrase where one page repeats it this often: that keeps the meaningful pairs,
two in a hundred."""
_ENOUGH = 3
"""Minimum pages of a subject that a term must be in, or half of them where they are few."""


class Learner:
    """Learns which words tell the pages of a subject from all others.

    Labels with several levels (``subject.Science.Biology``, or ``Science/Biology``) become a tree; levels
    that all labels share are dropped. A word or phrase is a term of a subject if more of its pages have
    it than chance allows: the best by chi-square. A term stands only at the deepest subjects that have it,
    for what is in 595 is in 59 too.

    Parameters
    ----------
    language
        Language of the pages.

    Examples
    --------
    >>> learner = Learner()
    >>> for text in ("a moth and a butterfly", "the butterfly", "moth wings"):
    ...     learner.add(["animals.insects"], text)
    >>> for text in ("trout swim", "a salmon and a trout", "salmon swim up"):
    ...     learner.add(["animals.fish"], text)
    >>> for text in ("the law", "a court of law", "judge and court"):
    ...     learner.add(["law"], text)
    >>> for subject in learner.taxonomy(terms=2).subjects:
    ...     print(subject.code, subject.label, subject.terms)
    1 animals ()
    11 fish ('salmon', 'swim')
    12 insects ('butterfly', 'moth')
    2 law ('court', 'law')
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.pages = 0
        self._pages_of: Counter[Path] = Counter()
        self._with_term: Counter[str] = Counter()
        self._with_term_of: defaultdict[Path, Counter[str]] = defaultdict(Counter)
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._stop = stop_words(language)

    def add(self, labels: Iterable[str], text: str) -> None:
        """Add a page with its labels."""
        paths = {path for label in labels if (path := tuple(filter(None, _LEVELS.split(label))))}
        subjects = {path[:end] for path in paths for end in range(1, len(path) + 1)}
        if not subjects:
            return
        found = self._terms(text)
        self.pages += 1
        self._with_term.update(found)
        self._pages_of.update(subjects)
        for path in subjects:
            self._with_term_of[path].update(found)

    def taxonomy(self, *, terms: int = TERMS, name: str = "the learned taxonomy") -> Taxonomy:
        """Build the taxonomy of the pages so far, with at most ``terms`` terms a subject."""
        trunk = self._trunk()
        subjects = {path[trunk:]: path for path in self._pages_of if len(path) > trunk}
        if len({path[0] for path in subjects}) < 2:
            raise UsageError("a taxonomy needs pages with at least two different labels")
        chosen = {path: self._choose(whole, terms) for path, whole in subjects.items()}
        profiles = self._profiles(subjects, chosen)
        for path in subjects:
            for end in range(1, len(path)):
                chosen[path[:end]] = [term for term in chosen[path[:end]] if term not in chosen[path]]
        return Taxonomy(
            [
                Subject(
                    code=code,
                    label=path[-1].replace("_", " "),
                    terms=tuple(map(self._written, chosen[path])),
                )
                for path, code in number(list(subjects), profiles).items()
            ],
            name=name,
        )

    def _terms(self, text: str) -> set[str]:
        """Return the stems of a text, and the pairs of them that it repeats."""
        for word, times in Counter(words(text)).items():
            if word not in self._stop:
                self._forms[stem(word, self.language)][word] += times
        stems = terms(text, self.language)
        pairs = Counter(map(" ".join, pairwise(stems)))
        phrases = {pair for pair, times in pairs.items() if times >= _REPEATS}
        return {each for each in phrases.union(stems) if all(map(_is_informative, each.split(" ")))}

    def _trunk(self) -> int:
        """Return how many levels all labels share."""
        level = 0
        while len({path[: level + 1] for path in self._pages_of if len(path) > level}) == 1:
            level += 1
        return level

    def _choose(self, path: Path, terms: int) -> list[str]:
        """Return the terms that distinguish a subject's pages from all others, the best first."""
        inside = self._pages_of[path]
        enough = min(_ENOUGH, (inside + 1) // 2)
        scored = [
            (self._chi_square(inside, having, self._with_term[term]), term)
            for term, having in self._with_term_of[path].items()
            if having >= enough and having * self.pages > self._with_term[term] * inside
        ]
        return [term for _, term in heapq.nsmallest(terms, ((-score, term) for score, term in scored))]

    def _chi_square(self, inside: int, having: int, with_term: int) -> float:
        outside = self.pages - inside
        odds = having * (outside - with_term + having) - (with_term - having) * (inside - having)
        return self.pages * odds**2 / (inside * outside * with_term * (self.pages - with_term) or 1)

    def _profiles(
        self, subjects: Mapping[Path, Path], chosen: Mapping[Path, Sequence[str]]
    ) -> dict[Path, dict[str, float]]:
        """Return the frequency of the terms of all subjects in the pages of each."""
        all_terms = {term for terms in chosen.values() for term in terms}
        return {
            path: {
                term: self._with_term_of[whole][term] / self._pages_of[whole]
                for term in all_terms
                if term in self._with_term_of[whole]
            }
            for path, whole in subjects.items()
        }

    def _written(self, term: str) -> str:
        """Return a term in its most frequent spelling."""
        return " ".join(self._forms[root].most_common(1)[0][0] for root in term.split(" "))


def _is_informative(stem: str) -> bool:
    return len(stem) >= _SHORTEST and not stem.isdigit()
