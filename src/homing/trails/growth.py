"""Grow a local graph backwards from the targets, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from homing.errors import UsageError
from homing.model import Page
from homing.ports import Backlinks
from homing.text.vectors import dot, unit
from homing.text.words import bag
from homing.trails.graph import LocalGraph

LAYERS = 4
PAGES_A_LAYER = 600
ALIKE = 0.8
"""Cosine of words from which on a page counts as a target, too."""


def grow(
    targets: Iterable[str],
    backlinks: Backlinks,
    page_at: Callable[[str], Page | None],
    *,
    layers: int = LAYERS,
    pages_a_layer: int = PAGES_A_LAYER,
    alike: float = ALIKE,
) -> LocalGraph:
    """Grow the graph around the targets: the pages that link to them, those that link to these, and so on.

    A layer has at most ``pages_a_layer`` pages, shared equally among the pages of the layer below: one with
    thousands of backlinks must not crowd out the others. Then pages whose words are similar to those of a
    target become targets themselves, in any layer, and distances are counted from all of them.

    Parameters
    ----------
    targets
        URLs of pages on the topic.
    backlinks
        The parents of each page.
    page_at
        The page at a URL, or ``None`` where it was not archived.

    Examples
    --------
    >>> from homing.model import Link
    >>> from homing.trails import EdgeList
    >>> names = ("hub", "moth")
    >>> pages = {name: Page(url=name, text=name, links=(Link(url="moth"),)) for name in names}
    >>> grow(["moth"], EdgeList([("hub", "moth")]), pages.get).distances
    {'moth': 0, 'hub': 1}

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling, section on data collection.
    """
    first = {url: page for url in targets if (page := page_at(url)) is not None}
    if not first:
        raise UsageError("none of the targets is among the recorded pages: name pages that are")
    pages, layer_of = dict(first), dict.fromkeys(first, 0)
    lowest = list(first)
    for number in range(1, layers + 1):
        lowest = _layer_above(lowest, backlinks, page_at, pages, pages_a_layer)
        layer_of.update(dict.fromkeys(lowest, number))
    return LocalGraph(pages.values(), first.keys() | _similar(pages, first, alike), layer_of)


def _layer_above(
    layer: list[str],
    backlinks: Backlinks,
    page_at: Callable[[str], Page | None],
    pages: dict[str, Page],
    most: int,
) -> list[str]:
    """Return the URLs of new pages that link to a layer, and add the pages themselves to ``pages``."""
    quota = max(1, most // max(len(layer), 1))
    found: list[str] = []
    for url in layer:
        brought = 0
        for parent in backlinks.parents(url):
            if brought == quota or len(found) == most:
                break
            if parent not in pages and (page := page_at(parent)) is not None:
                pages[parent] = page
                found.append(parent)
                brought += 1
    return found


def _similar(pages: dict[str, Page], targets: dict[str, Page], least: float) -> set[str]:
    """Return the URLs of pages that have at least that cosine with one of the targets."""
    models = [_words_of(page) for page in targets.values()]
    return {
        url
        for url, page in pages.items()
        if url not in targets
        and (vector := _words_of(page))
        and max(dot(vector, model) for model in models) >= least
    }


def _words_of(page: Page) -> dict[str, float]:
    return unit(bag(page.text, page.language))
