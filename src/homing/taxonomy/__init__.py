"""Subjects by decimal number, and which of them a text is about.

The judge ``decimal`` and the strategies that follow a topic's numbers use it. Begin with ``table`` and
``focus``:

    >>> from homing.taxonomy import Focus, starter
    >>> focus = Focus(starter())
    >>> [focus.taxonomy.describe(key) for key in focus.of_text("Butterflies and moths are insects.")]
    ['140 (Butterflies and moths)']

- ``table``: a taxonomy, loaded from CSV (``table_reader``) and saved; ``starter.csv`` comes with Homing.
- ``lexicon``: find the terms of a taxonomy in a text.
- ``plot``: the number of a text: the galaxy, the region of numbers where most of its terms lie. The judge
  ``decimal`` plots each page.
- ``focus``: the galaxy of a text, or of a link with its surroundings.
- ``topic_codes``: the numbers of a topic, from its words and examples.
- ``learner``: learn a taxonomy from labelled pages, with numbers by ``numbering``.
"""

from homing.taxonomy.focus import Focus, dots_of, page_text
from homing.taxonomy.lexicon import Lexicon, Term
from homing.taxonomy.plot import ANCHOR_IMPACT, Dot, Place, Plot, galaxy
from homing.taxonomy.table import Subject, Taxonomy, load, starter
from homing.taxonomy.topic_codes import REPEATS, Codes, codes_of, damped

__all__ = [
    "ANCHOR_IMPACT",
    "REPEATS",
    "Codes",
    "Dot",
    "Focus",
    "Lexicon",
    "Place",
    "Plot",
    "Subject",
    "Taxonomy",
    "Term",
    "codes_of",
    "damped",
    "dots_of",
    "galaxy",
    "load",
    "page_text",
    "starter",
]
