"""The numbers of a topic: those the user gives, or those of its words and examples.

The judge ``decimal`` and the strategies that use numbers share this code, so that they find the same ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

from homing.model import Page
from homing.taxonomy.focus import Focus, dots_of, page_text
from homing.taxonomy.lexicon import Lexicon, Term
from homing.taxonomy.plot import Plot
from homing.taxonomy.table import Subject, Taxonomy
from homing.text.words import words

REPEATS = 0.7
"""Default weight of a repeated term; see ``damped``."""

# Tuned on the development topics of a recorded encyclopedia.
_LEAST = 0.15
"""Minimum share of all votes for a number to be a candidate: one page among many may be about anything."""
_PRICE = 0.005
"""What a number adds to the width of those chosen, besides its own part of the taxonomy."""


class TopicDescription(Protocol):
    """What describes a topic: a judge's ``Brief``, or the ``Topic`` of a strategy."""

    @property
    def text(self) -> str: ...
    @property
    def keywords(self) -> Sequence[str]: ...
    @property
    def examples(self) -> Sequence[Page]: ...
    @property
    def codes(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """Where a topic lies in a taxonomy."""

    keys: tuple[str, ...] = ()
    """Its numbers without dots, none of which is part of another; empty without terms in the taxonomy."""
    found_by: str = ""
    """How they were found, in words."""


def codes_of(topic: TopicDescription, focus: Focus, repeats: float = REPEATS) -> Codes:
    """Return the numbers of a topic in the taxonomy of ``focus``.

    Without examples they are the galaxy of the topic's words. With examples each of them votes for its
    own galaxy, the topic's words have as many votes as all examples together, and the numbers are chosen
    that hold many votes for their width. ``repeats`` is the weight of a term repeated in a page.

    >>> from homing.model import Topic
    >>> insects = Subject(code="59.5", label="Insects", terms=("butterfly", "moth"))
    >>> gardens = Subject(code="63", label="Gardens", terms=("garden", "lawn"))
    >>> topic = Topic(text="moths, butterflies and gardens", rate=lambda texts: [0.0] * len(texts))
    >>> codes_of(topic, Focus(Taxonomy([insects, gardens])))
    Codes(keys=('595',), found_by='found by moth, butterfly')
    """
    if topic.codes:
        return Codes(keys=_widest(focus.taxonomy.keys(topic.codes)), found_by="as given")
    text = "\n".join((topic.text, *topic.keywords))
    galaxy, deciding = _galaxy_of(focus.lexicon, text)
    votes = _votes(topic.examples, focus, repeats)
    if votes:
        weight = sum(votes.values()) / max(1, len(galaxy))
        for key in galaxy:
            votes[key] = votes.get(key, 0.0) + weight
        by = f"{deciding} and the examples" if deciding else "the examples"
        return Codes(keys=_agreed(votes, focus.lexicon), found_by=f"found by {by}")
    if not galaxy:
        galaxy, deciding = _galaxy_of(_labels(focus), text)
    return Codes(keys=_widest(galaxy), found_by=f"found by {deciding}") if galaxy else Codes()


def damped(found: Mapping[Term, int], repeats: float) -> dict[Term, float]:
    """Return the weight of each term by its count: ``times ** repeats``."""
    return {term: times**repeats for term, times in found.items()}


def _galaxy_of(lexicon: Lexicon, text: str) -> tuple[tuple[str, ...], str]:
    """Return the galaxy of the topic's words, and the terms that lie in it."""
    said = lexicon.find(text)
    keys = Plot(dots_of(said)).galaxy()
    return keys, ", ".join(
        term.text for term in said if any(place.key.startswith(keys) for place in term.places)
    )


def _votes(pages: Iterable[Page], focus: Focus, repeats: float) -> dict[str, float]:
    """Count the pages under each number; a page under several numbers divides its vote."""
    votes: defaultdict[str, float] = defaultdict(float)
    for page in pages:
        galaxy = Plot(dots_of(damped(focus.lexicon.find(page_text(page)), repeats))).galaxy()
        for key in galaxy:
            votes[key] += 1 / len(galaxy)
    return dict(votes)


def _agreed(votes: Mapping[str, float], lexicon: Lexicon) -> tuple[str, ...]:
    """Return the numbers that hold many votes for their width.

    Eight pages on birds may fall under eight numbers within 17; that number is meant, though 1 holds
    them just as well. So numbers are added as long as ``held · ln(held / width)`` grows, where ``held`` is
    their part of the votes and ``width`` their part of the taxonomy's terms: the share of the votes, times
    how surprising it is.
    """
    places = [place for term in lexicon.terms() for place in term.places]
    wide = Counter(region for place in places for region in place.regions)
    total = sum(votes.values())

    def held(keys: tuple[str, ...]) -> float:
        return sum([share for key, share in votes.items() if key.startswith(keys)]) / total

    def worth(keys: tuple[str, ...]) -> float:
        width = sum([wide[key] for key in keys]) / len(places) + _PRICE * len(keys)
        return held(keys) * log(held(keys) / width)

    regions = sorted({key[:end] for key in votes for end in range(1, len(key) + 1)})
    candidates = [region for region in regions if held((region,)) >= _LEAST] or list(votes)
    chosen: tuple[str, ...] = ()
    while True:
        options = [
            _widest((*chosen, each)) for each in candidates if not chosen or not each.startswith(chosen)
        ]
        # Where 6 holds nothing but 63, the longer number says more.
        best = max(options, key=lambda keys: (worth(keys), sum(map(len, keys))), default=chosen)
        if best == chosen or (chosen and worth(best) <= worth(chosen)):
            return chosen
        chosen = best


def _labels(focus: Focus) -> Lexicon:
    """Return a lexicon of the words in the labels: they name subjects too, if less clearly than the terms."""
    return Lexicon(
        Taxonomy(
            [
                Subject(code=each.code, label=each.label, terms=tuple(words(each.label)))
                for each in focus.taxonomy.subjects
            ]
        ),
        focus.lexicon.language,
    )


def _widest(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the same numbers without those that are part of another.

    >>> _widest(["63", "595", "59"])
    ('59', '63')
    """
    kept: list[str] = []
    for key in sorted(keys):
        if not kept or not key.startswith(kept[-1]):
            kept.append(key)
    return tuple(kept)
