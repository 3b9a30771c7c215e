"""What is known of a URL before it is fetched, as a row of numbers: the signs by which it is judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.strategies.evidence import Evidence
from homing.strategies.link_words import summed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

SIGNS = (
    "link context",
    "mean context",
    "best page",
    "mean page",
    "known links",
    "links from relevant pages",
    "best siblings",
    "mean siblings",
    "best neighbours",
    "mean neighbours",
    "block",
    "place on the page",
    "tag path",
    "words",
    "topic words",
    "mean topic words",
    "context and neighbours",
    "context and siblings",
    "neighbours and page",
)
"""Over the links to a URL: what words and pages say, how many there are, what came of other links beside
them, what the crawl has learnt of their words, what these say of the topic; and three products, where one
sign counts for more beside another."""

_PAGE_WEIGHT = 0.25
"""The share of the page in link-context."""
_DOUBT = 3.0
"""A group of links is as successful as usual until more than so many of its pages are known."""
_FADING, _REACH = 0.7, 4
"""How much less a neighbour counts than the one before it, and how many count on each side."""


def signs(evidence: Evidence, urls: Numbers, weights: Floats, topic: Floats, *, usual: float) -> Floats:
    """The signs of these URLs, a row each; every one must have a link to it.

    Parameters
    ----------
    weights
        Of the words of links, as the crawl has learnt them.
    topic
        What the same words say of the topic (``link_words.told_by``).
    usual
        The mean score of all pages so far.
    """
    table = evidence.links_to(urls)
    is_link = table >= 0
    links, counts = table[is_link], is_link.sum(axis=0)
    pages, contexts = evidence.page_score(links), evidence.context(links)
    siblings, block, spot, path = (
        evidence.success(group, links, usual=usual, doubt=_DOUBT)
        for group in ("page", "block", "spot", "path")
    )
    near = evidence.neighbours(links, siblings, doubt=_DOUBT, fading=_FADING, reach=_REACH)
    words, of = evidence.words(links)
    led = summed(words, of, weights, count=len(links))
    told = summed(words, of, topic, count=len(links))
    shared = pages / np.maximum(evidence.page_links(links), 1)
    context = _PAGE_WEIGHT * pages + (1 - _PAGE_WEIGHT) * contexts

    # All signs at once, as layers of a table: a call of numpy costs more than what it does to sixty links.
    layers = np.full((8, *table.shape), -np.inf)
    layers[:, is_link] = context, pages, siblings, near, block, spot, path, told
    context, best_page, best_siblings, best_near, block, spot, path, best_told = layers.max(axis=1)
    layers = np.zeros((7, *table.shape))
    layers[:, is_link] = contexts, pages, siblings, near, led, told, shared
    *sums, shared = layers.sum(axis=1)
    contexts, pages, siblings, near, led, told = (each / counts for each in sums)
    return np.column_stack(
        [
            context,
            contexts,
            best_page,
            pages,
            np.log1p(counts),
            np.log1p(20 * shared),
            best_siblings,
            siblings,
            best_near,
            near,
            block,
            spot,
            path,
            led,
            best_told,
            told,
            context * best_near,
            context * best_siblings,
            best_near * best_page,
        ]
    )
