"""Reads from a page how far it is from a target, and from the words of a link where it leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import convert

from homing.errors import ModelError
from homing.model import Page, Priority, Proposal, State, Topic, Visit
from homing.parameters import parameter
from homing.strategies.trained.layers.context_graph import ContextGraph
from homing.strategies.trained.layers.terms import Anchors, first_links, length, words_of_link, words_of_page
from homing.text.words import terms
from homing.trails import LocalGraph

_QUERY_WORDS = 12
"""Maximum keywords of the judge that stand for a topic without words."""
_TARGETS = 20
_BELOW_ONE = 1 - 1e-9


class Layered(ContextGraph):
    """Follows links named like the topic first, then those of pages near a target, by their anchors.

    A link whose anchor is like the query (hot words) joins queue 0. Any other joins the queue of its page's
    layer, as in context-graph. Within a queue the words of the link decide: it is compared with the
    links that led into each layer, and comes sooner the nearer the layer it is most like, among these the
    more it is like it. Words of scripts without blanks are pairs of characters.

    ``rank`` orders what was found (``homing export --rank-by layered``): by the chance of layer 0, the title,
    and the likeness to a target.

    URLs found before the fit come from link-context. At the fit those rated one half or more stay in the
    first queue, the others go to the last one.

    Examples
    --------
    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(fitted(Layered(), toy_web(seed=2)), pages=70) > harvest(BreadthFirst(), pages=70)
    True

    References
    ----------
    Tsay, Liu, Lai, Shin 2003, Design and evaluation of focused crawling system. The threshold of hot words
    is not given; their example of a hot anchor, 研究所甄試 for the query 碩士班甄試, has a cosine of .25, so
    it is .2 here. Links most like those that lead out of the layers come last the surer that is, which the
    paper leaves open. Where an anchor has no words the URL's count. Where the topic is not said in words, the
    judge's heaviest keywords are the query. How the paper ranks its output it does not say: ``rank`` is ours.
    """

    name = "layered"
    paper: ClassVar[str] = "Tsay et al. 2003, Design and evaluation of focused crawling system"

    hot: float = parameter(
        "The cosine between anchor and query above which a link goes to queue 0 (the paper's theta h).",
        default=0.2,
        within=(0, 1),
    )

    def begin(self, topic: Topic) -> None:
        super().begin(topic)
        self._query = topic.text if terms(topic.text) else " ".join(topic.keywords[:_QUERY_WORDS])

    def fit(self, graph: LocalGraph) -> None:
        super().fit(graph)
        outside = self.layers + 1
        texts, leads_to = [], []
        for page in graph.pages.values():
            for link in first_links(page):
                texts.append(words_of_link(link, page.language))
                leads_to.append(min(graph.distances.get(link.url, outside), outside))
        self._anchors = Anchors.fit(texts, leads_to, outside + 1)
        targets = [page for url, page in graph.pages.items() if url in graph.targets][:_TARGETS]
        self._targets = {page.url: unit(words_of_page(page)) for page in targets}

    def predict(self, visit: Visit) -> Iterator[Proposal]:
        page = visit.page
        if not page.links:
            return
        layer, likelihood = self.layer_of(page)
        query = _query_in(page.language, self._query)
        texts = [words_of_link(link, page.language) for link in page.links]
        for link, text, likeness in zip(
            page.links, texts, self._anchors.likeness(texts).tolist(), strict=True
        ):
            hot = cosine(text, query)
            queue = 0 if hot > self.hot else self.queue_of(layer)
            leads_to, alike = _nearest(likeness)
            yield Proposal(
                url=link.url,
                priority=Priority(tier=queue, score=self.packed(leads_to, alike)),
                why=(
                    ("queue", float(queue)),
                    ("hot words", hot),
                    ("layer of the page", float(layer)),
                    ("likelihood", likelihood),
                    ("layer of the link", float(leads_to)),
                    ("likeness", alike),
                ),
            )

    def packed(self, layer: int, alike: float) -> float:
        """Return the key (layer, likeness) as one score from 0 to 1: nearer layers first, then the more
        alike.

        What is like the links that lead out of the layers comes last, and the more so the more alike.
        """
        outside = self.layers + 1
        within_layer = 1 - alike if layer == outside else alike
        return (outside - layer + min(max(within_layer, 0.0), _BELOW_ONE)) / (outside + 1)

    def rank(self, page: Page) -> float:
        """Return how high a page ranks among those found, from 0 to 2.

        The chance that it is of layer 0, half the cosine of its title to the query, and half the highest
        cosine to a target other than itself. Before the fit only the title counts.
        """
        score = 0.5 * cosine(terms(page.title, page.language), _query_in(page.language, self._query))
        if self.fitted:
            words = words_of_page(page)
            alike = (cosine(words, vector) for url, vector in self._targets.items() if url != page.url)
            score += self.chances(page)[0] + 0.5 * max(alike, default=0.0)
        return score

    def model(self) -> State:
        return {**super().model(), "anchors": self._anchors.state(), "targets": self._targets}

    def use(self, model: State) -> None:
        super().use(model)
        try:
            self._anchors = Anchors.from_state(model["anchors"], self.layers + 2)
            self._targets = convert(model["targets"], dict[str, dict[str, float]])
        except (KeyError, ValueError):
            raise ModelError(f'this is no model of strategy "{self.name}"; fit it again') from None


def cosine(text: Sequence[str], vector: Mapping[str, float]) -> float:
    """Return the cosine between a text, as its terms, and a vector of unit length.

    >>> cosine(terms("研究所甄試", "zh"), unit(terms("碩士班甄試", "zh")))
    0.25
    """
    shared = sum(vector.get(term, 0.0) for term in text)
    return shared / length(text) if shared else 0.0


def unit(text: Sequence[str]) -> Mapping[str, float]:
    """Return how often a text has each term, as a vector of unit length."""
    scale = length(text)
    return {term: round(count / scale, 6) for term, count in Counter(text).items()}


def _nearest(likeness: Sequence[float]) -> tuple[int, float]:
    """Return the layer a link is most like, the nearer of two; the last if it is like none."""
    best = max(likeness)
    return (likeness.index(best), best) if best > 0 else (len(likeness) - 1, 0.0)


@lru_cache(maxsize=64)
def _query_in(language: str, text: str) -> Mapping[str, float]:
    """Return the query as a page in that language would have it."""
    return unit(terms(text, language))
