"""Queues by the layer of a page; fitting during a crawl (``trained/base``, ``trained/page_memory``)."""

from __future__ import annotations

import pytest

from homing.checks.replays import ToyCrawl, ToyView
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.judge.keywords import Keywords
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies.trained.layers.context_graph import ContextGraph
from homing.trails import LocalGraph

TOPIC = Topic(text="moths", rate=lambda texts: [0.0] * len(texts))
WORDS = ["moth", "garden", "county", "country", "world"]
"""What the pages of each layer are about."""


def chain(copies: int = 4, length: int = 5) -> LocalGraph:
    """Ways of five pages to a target, each page with a word of its layer: world > country > ... > moth."""
    pages = [
        Page(
            url=f"http://{copy}.example/{layer}",
            text=f"{WORDS[layer]} " * 6 + "this and that",
            links=(Link(url=f"http://{copy}.example/{layer - 1}"),) if layer else (),
        )
        for copy in range(copies)
        for layer in range(length)
    ]
    return LocalGraph(pages, {page.url for page in pages if page.url.endswith("/0")})


def fitted(strategy: ContextGraph) -> ContextGraph:
    strategy.begin(TOPIC)
    strategy.fit(chain())
    strategy.give(strategy.model())
    return strategy


def visit(text: str, *links: Link) -> Visit:
    page = Page(url="http://new.example/", text=text, links=links or (Link(url="http://new.example/1"),))
    entry = Entry(key=1, url=page.url, priority=Priority())
    return Visit(step=1, entry=entry, page=page, judgement=Judgement(score=0, relevant=False, judge="test"))


@pytest.mark.parametrize("layer", range(5))
def test_links_join_the_queue_of_their_pages_layer(layer: int) -> None:
    one, two = fitted(ContextGraph()).score(
        visit(WORDS[layer], Link(url="http://x.example/"), Link(url="http://y.example/"))
    )
    assert one.priority == two.priority
    assert one.priority.tier == layer
    assert dict(one.why) == {"queue": layer, "layer of the page": layer, "likelihood": one.priority.score}


def test_the_likelihood_is_that_of_naive_bayes() -> None:
    # Each of the five layers says its own word 4·6 times; stop words are none. Laplace over five terms.
    # A page that says "moth" once: 25/29 against 1/29 in the four others.
    (proposal,) = fitted(ContextGraph()).score(visit("moth"))
    assert proposal.priority.score == pytest.approx(25 / 29, abs=1e-4)


def test_the_likelier_page_comes_first_within_a_queue() -> None:
    strategy = fitted(ContextGraph())
    (sure,), (unsure,) = (list(strategy.score(visit(text))) for text in ("moth moth", "moth moth garden"))
    assert sure.priority.tier == unsure.priority.tier == 0
    assert sure.priority.better_than(unsure.priority)


def test_pages_of_no_certain_layer_are_others() -> None:
    strategy = fitted(ContextGraph())
    for text in ("spoon", "moth garden county country world", ""):
        (proposal,) = strategy.score(visit(text))
        assert proposal.priority.tier == 5
    (proposal,) = fitted(ContextGraph(threshold=0)).score(visit("spoon"))
    assert proposal.priority.tier == 0


def test_links_may_count_as_one_nearer_than_their_page() -> None:
    strategy = fitted(ContextGraph(shift=True))
    tiers = [next(iter(strategy.score(visit(text)))).priority.tier for text in [*WORDS, "spoon"]]
    assert tiers == [0, 0, 1, 2, 3, 5]


def test_pages_beyond_the_last_layer_are_not_fitted_on() -> None:
    strategy = ContextGraph(layers=2)
    strategy.begin(TOPIC)
    strategy.fit(chain())
    strategy.fitted = True
    tiers = [next(iter(strategy.score(visit(text)))).priority.tier for text in WORDS]
    assert tiers == [0, 1, 2, 3, 3]


def test_start_urls_join_the_last_queue_once_there_are_queues() -> None:
    assert ContextGraph().start("http://a.example/").priority == Priority(score=1.0)
    assert fitted(ContextGraph()).start("http://a.example/").priority == Priority(tier=5, score=1.0)
    assert fitted(ContextGraph()).start("http://a.example/").why == (("seed", 1.0),)


def test_at_the_first_fit_what_link_context_thought_little_of_goes_to_the_last_queue() -> None:
    strategy = ContextGraph(fit_after=10)
    strategy.begin(TOPIC)
    graph = chain()
    for step, page in enumerate(graph.pages.values()):
        relevant = page.url in graph.targets
        judgement = Judgement(score=float(relevant), relevant=relevant, judge="test")
        entry = Entry(key=step, url=page.url, priority=Priority())
        strategy.learn(Visit(step=step, entry=entry, page=page, judgement=judgement))
    waiting = [
        Entry(key=10 + seq, url=f"http://w.example/{seq}", priority=Priority(score=score), seq=seq)
        for seq, score in enumerate((0.9, 0.5, 0.4, 0.0))
    ]
    view = ToyView(entries=waiting, queue=range(4), onward={}, scores={})
    ranking = strategy.rerank(view)
    assert strategy.fitted
    assert ranking is not None
    assert ranking.keys.tolist() == [10, 11, 12, 13]
    assert ranking.tiers.tolist() == [0, 0, 5, 5]
    assert ranking.scores.tolist() == [0.9, 0.5, 0.4, 0.0]
    assert strategy.rerank(view) is None


def test_the_better_queue_wins_whoever_finds_the_url_again() -> None:
    strategy = fitted(ContextGraph())
    (near,), (far,) = (list(strategy.score(visit(text))) for text in ("moth", "county"))
    for one, other in ((near, far), (far, near)):
        known = Entry(key=1, url=one.url, priority=one.priority, why=one.why)
        kept: Proposal = strategy.merge(known, other)
        assert (kept.priority, kept.why) == (near.priority, near.why)


def test_without_pages_that_lead_to_targets_there_is_nothing_to_fit() -> None:
    for graph in (LocalGraph([], set()), LocalGraph(chain().pages.values(), set()), chain(length=1)):
        with pytest.raises(UsageError, match=r'strategy "context-graph" needs pages on the topic'):
            ContextGraph().fit(graph)


@pytest.mark.parametrize(
    "model", [{}, {"bayes": None}, {"bayes": {"terms": ["a"], "rows": [], "texts": [1]}}]
)
def test_a_model_of_something_else_is_refused(model: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=r'no model of strategy "context-graph"'):
        ContextGraph().give(model)


def test_a_model_with_another_number_of_layers_is_refused() -> None:
    with pytest.raises(ModelError, match=r"fitted with layers=4; set it, or fit again"):
        ContextGraph(layers=3).give(fitted(ContextGraph()).model())


def test_it_fits_itself_to_the_crawl() -> None:
    web = toy_web(seed=3)
    crawl = ToyCrawl(web, ContextGraph(fit_after=25), judge=Keywords(web.topic))
    crawl.run(60)
    assert crawl.strategy.state()["model"]
    assert len({each.priority.tier for each in crawl.entries.values()}) > 2
