"""The topical focus of texts, of pages, and of links with their surroundings."""

from __future__ import annotations

from collections.abc import Mapping

from homing.model import Page
from homing.taxonomy.lexicon import Lexicon, Term
from homing.taxonomy.plot import ANCHOR_IMPACT, Dots, Plot
from homing.taxonomy.table import Taxonomy

_CACHED = 256


class Focus:
    """Finds the subjects that a text is about: its galaxy in a taxonomy.

    Parameters
    ----------
    taxonomy
        The subjects.
    language
        Language of their terms.
    impact
        Weight of a dot in the anchor of a link, relative to one in the text around it.

    Examples
    --------
    >>> from homing.taxonomy import Subject
    >>> animals = Subject(code="59", label="Animals", terms=("animal", "butterfly"))
    >>> gardens = Subject(code="63", label="Gardens", terms=("garden", "lawn"))
    >>> focus = Focus(Taxonomy([animals, gardens]))
    >>> block = "From lawn and garden to butterfly and animal"
    >>> focus.of_text(block), focus.of_block(block, "butterfly")
    (('59', '63'), ('59',))

    References
    ----------
    Seyfi, Patel 2015, A focused crawler combinatory link and content model based on T-Graph principles,
    section 5.1. The paper stops at three digits; we go as deep as the numbers do.
    """

    def __init__(self, taxonomy: Taxonomy, *, language: str = "en", impact: float = ANCHOR_IMPACT) -> None:
        self.taxonomy = taxonomy
        self.impact = impact
        self.lexicon = Lexicon(taxonomy, language)
        self._blocks: dict[str, tuple[Mapping[Term, int], Plot]] = {}
        self._sure: dict[tuple[str, tuple[str, ...]], bool | None] = {}

    def of_text(self, text: str) -> tuple[str, ...]:
        """Return the galaxy of a text; empty if it has no term of the taxonomy."""
        return self.plot(text).galaxy()

    def of_block(self, block: str, anchor: str = "") -> tuple[str, ...]:
        """Return the galaxy of a link: of the paragraph or list that holds it, its anchor counting more."""
        plot, extra = self._place(block, anchor)
        return plot.galaxy(extra)

    def lies_in(self, keys: tuple[str, ...], block: str, anchor: str = "") -> bool | None:
        """Return whether a link's galaxy lies under one of these numbers; ``None`` if it has none."""
        if anchor in block:
            surely = (
                self._sure[block, keys] if (block, keys) in self._sure else self._check_block(block, keys)
            )
            if surely is not None:
                return surely
        plot, extra = self._place(block, anchor)
        return plot.lies_in(keys, extra) if plot else None

    def plot(self, text: str) -> Plot:
        """Return the dots of a text."""
        return Plot(dots_of(self.lexicon.find(text)))

    def _place(self, block: str, anchor: str) -> tuple[Plot, Mapping[str, float]]:
        """Return the dots of a link, and the extra weight of those in its anchor."""
        found, plot = self._read(block)
        words = self.lexicon.find(anchor) if anchor else {}
        if not words:
            return plot, {}
        if anchor not in block:  # the description of an image, or a block that was cut short
            return Plot((*dots_of(found), *dots_of(words, self.impact))), {}
        extra: dict[str, float] = {}
        for term, times in words.items():
            if term in found:  # by itself, not only within a phrase
                counted = min(times, found[term]) * (self.impact - 1)
                for place in term.places:
                    for region in place.regions:
                        extra[region] = extra.get(region, 0.0) + counted * place.length
        return plot, extra

    def _check_block(self, block: str, keys: tuple[str, ...]) -> bool | None:
        """Return whether a block's links all lie under these numbers, or none of them; cached."""
        _, plot = self._read(block)
        if len(self._sure) >= _CACHED:
            self._sure.clear()
        surely = self._sure[block, keys] = plot.lies_surely_in(keys, self.impact) if plot else None
        return surely

    def _read(self, block: str) -> tuple[Mapping[Term, int], Plot]:
        """Return the terms and dots of a block, cached for all its links."""
        read = self._blocks.get(block)
        if read is None:
            if len(self._blocks) >= _CACHED:
                self._blocks.clear()
            found = self.lexicon.find(block)
            read = self._blocks[block] = found, Plot(dots_of(found))
        return read


def page_text(page: Page) -> str:
    """Return title, description, keywords and text of a page."""
    return "\n".join((page.title, page.description, page.keywords, page.text))


def dots_of(found: Mapping[Term, float], impact: float = 1.0) -> Dots:
    """Return a dot for each number of each term."""
    return [(place, times, impact) for term, times in found.items() for place in term.places]
