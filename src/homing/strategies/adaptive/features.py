"""What is known of a URL before it is fetched, as a row of numbers: its features.

Of every feature more is better, so no weight needs to be negative, and none can be by mistake
(``regression.py``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.strategies.adaptive.co_occurrence import CoOccurrence
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.link_table import LinkTable
from homing.strategies.adaptive.similar_names import SimilarNames
from homing.strategies.adaptive.tokens import around, leading_to, summed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

FEATURES = (
    "mean context",
    "mean anchor",
    "co-occurrence",
    "similar names",
    "words",
    "folder",
    "mean page",
    "siblings",
    "neighbours",
    "block",
    "place on the page",
    "tag path",
)
"""Means over the links to a URL: how the judge rates the words around them and their anchors, how relevant
pages with such words and with similar names are, the fitted weight of the words, how relevant pages of the
same folder are, the score of the pages the links stand on, and how much above average other links did: on the
same page, next to them, in the same block, at the same tag path of the page and of any page."""

FORMER_NAMES = {"co-occurrence": "company", "similar names": "kindred"}
"""The names under which older crawls have saved some of these."""
_PRIOR_COUNT = 3.0
"""Prior count: a group of links is taken for average until more pages than this are known."""
_FADING, _REACH = 0.7, 4
"""How much less a neighbour counts than the one before it, and how many count on each side."""


def features(
    link_table: LinkTable,
    urls: Numbers,
    weights: Floats,
    co_occurrence: CoOccurrence,
    similar_names: SimilarNames,
    folders: Folders,
    *,
    average: float,
) -> Floats:
    """Return the features of these URLs, a row each; every one must have a link to it.

    Parameters
    ----------
    weights
        The fitted weights of the words of links.
    co_occurrence
        How relevant pages with each word are.
    similar_names
        How relevant pages with similar names are.
    folders
        How relevant pages of each folder are.
    average
        The mean score of all pages so far.
    """
    table = link_table.links_to(urls)
    is_link = table >= 0
    links = table[is_link]
    siblings, block, spot, path = (
        link_table.success(group, links, average=average, prior_count=_PRIOR_COUNT)
        for group in ("page", "block", "spot", "path")
    )
    words, of = link_table.words(links)
    named = table.T[is_link.T]  # those of one URL after those of another
    names, by = link_table.names(named)
    alike = similar_names.of(names, np.nonzero(is_link.T)[0][by], count=len(urls))
    # All links to a URL lead to the same folder: one of each is enough.
    lying = folders.of(*leading_to(*link_table.words(table[0])), count=len(urls), average=average)
    # All features at once, as layers of a table: calling numpy costs more than its work on sixty links.
    layers = np.zeros((len(FEATURES), *table.shape))
    layers[:, is_link] = (
        link_table.context(links),
        link_table.anchor(links),
        co_occurrence.of(*around(words, of), count=len(links)),
        np.broadcast_to(alike, table.shape)[is_link],
        summed(words, of, weights, count=len(links)),
        np.broadcast_to(lying, table.shape)[is_link],
        link_table.page_score(links),
        siblings,
        link_table.neighbours(
            links, siblings, average=average, prior_count=_PRIOR_COUNT, fading=_FADING, reach=_REACH
        ),
        block,
        spot,
        path,
    )
    return np.ascontiguousarray((layers.sum(axis=1) / is_link.sum(axis=0)).T)
