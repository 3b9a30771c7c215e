"""What is known of a URL before it is fetched, as a row of numbers: the signs by which it is judged.

Of every sign more is better: so no weight has to be below 0, and none can be by mistake (``expectation.py``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.strategies.adaptive.co_occurrence import Company
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.link_table import Evidence
from homing.strategies.adaptive.similar_names import Kindred
from homing.strategies.adaptive.tokens import around, leading_to, summed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

SIGNS = (
    "mean context",
    "mean anchor",
    "company",
    "kindred",
    "words",
    "folder",
    "mean page",
    "siblings",
    "neighbours",
    "block",
    "place on the page",
    "tag path",
)
"""Means over the links to a URL: what the judge says of the words around them and of their anchors, which
pages have such words and which are called something alike, what the crawl has learnt of the words, which
pages lie in the same folder, the pages they are on, and how much more than usual came of other links: on the
same page, next to them, in the same block, at the same tag path of the page and of any page."""

_DOUBT = 3.0
"""A group of links is as successful as usual until more than so many of its pages are known."""
_FADING, _REACH = 0.7, 4
"""How much less a neighbour counts than the one before it, and how many count on each side."""


def signs(
    evidence: Evidence,
    urls: Numbers,
    weights: Floats,
    company: Company,
    kindred: Kindred,
    folders: Folders,
    *,
    usual: float,
) -> Floats:
    """The signs of these URLs, a row each; every one must have a link to it.

    Parameters
    ----------
    weights
        Of the words of links, as the crawl has learnt them.
    company
        The pages that have such words.
    kindred
        The pages whose names mean the like.
    folders
        The pages that lie in the same folder.
    usual
        The mean score of all pages so far.
    """
    table = evidence.links_to(urls)
    is_link = table >= 0
    links = table[is_link]
    siblings, block, spot, path = (
        evidence.success(group, links, usual=usual, doubt=_DOUBT)
        for group in ("page", "block", "spot", "path")
    )
    words, of = evidence.words(links)
    named = table.T[is_link.T]  # those of one URL after those of another
    names, by = evidence.names(named)
    alike = kindred.of(names, np.nonzero(is_link.T)[0][by], count=len(urls))
    # All links to a URL lead to the same folder: one of each tells.
    lying = folders.of(*leading_to(*evidence.words(table[0])), count=len(urls), usual=usual)
    # All signs at once, as layers of a table: a call of numpy costs more than what it does to sixty links.
    layers = np.zeros((len(SIGNS), *table.shape))
    layers[:, is_link] = (
        evidence.context(links),
        evidence.anchor(links),
        company.of(*around(words, of), count=len(links)),
        np.broadcast_to(alike, table.shape)[is_link],
        summed(words, of, weights, count=len(links)),
        np.broadcast_to(lying, table.shape)[is_link],
        evidence.page_score(links),
        siblings,
        evidence.neighbours(links, siblings, usual=usual, doubt=_DOUBT, fading=_FADING, reach=_REACH),
        block,
        spot,
        path,
    )
    return np.ascontiguousarray((layers.sum(axis=1) / is_link.sum(axis=0)).T)
