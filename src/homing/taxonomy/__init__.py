"""Subjects by decimal number, and which of them a text is about.

A base layer: the judge ``decimal`` and the strategies that follow a topic's number both stand on it.
"""

from homing.taxonomy.codes import REPEATS, Codes, codes_of, damped
from homing.taxonomy.focus import Focus, dots_of, page_text
from homing.taxonomy.lexicon import Lexicon, Term
from homing.taxonomy.plot import ANCHOR_IMPACT, Dot, Place, Plot, galaxy
from homing.taxonomy.table import Subject, Taxonomy, load, starter

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
