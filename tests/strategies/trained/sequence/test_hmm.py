"""The hidden Markov model: clusters as observations, and the belief along a path (``hmm``, ``clusters``)."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import product
from typing import Any, cast

import numpy as np
import pytest
from tests.strategies.toys import BUDGET, harvest_to_beat, visit

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.judge.keywords import Keywords
from homing.model import Link, Page, State
from homing.strategies.trained.sequence.belief import ALLOWED, START, STATES, unpack
from homing.strategies.trained.sequence.clusters import TARGETS, Clusters, Finder
from homing.strategies.trained.sequence.hmm import Hmm
from homing.trails import LocalGraph

JUDGE = Keywords("butterflies")
TOPIC = JUDGE.topic()
BORDERS = (0.01, 0.25, 0.5, 0.75)


@lru_cache(maxsize=1)
def model() -> State:
    web = toy_web(seed=7)
    strategy = Hmm(walks=300)
    strategy.begin(TOPIC)
    strategy.fit(LocalGraph(web.pages.values(), web.targets))
    return strategy.model()


def trained(**options: Any) -> Hmm:
    strategy = Hmm(**options)
    strategy.give(model())
    strategy.begin(TOPIC)
    return strategy


def test_a_fitted_one_passes_the_battery() -> None:
    check_strategy(lambda: trained(queue_cap=50))


def test_a_model_of_one_web_helps_in_another() -> None:
    for seed in range(5):
        web = toy_web(seed=seed)
        mine = replay(web, trained(), pages=BUDGET, judge=JUDGE).harvest
        assert mine > harvest_to_beat(web, judge=JUDGE)


def test_chances_are_counts_with_a_little_added() -> None:
    """Only one walk is possible: seed, hub, moth; the first page of it is drawn."""
    words = {"seed": "welcome home", "hub": "insects garden", "moth": "moth wings"}
    onward = {"seed": "hub", "hub": "moth"}
    pages = [
        Page(url=url, text=f"{text} " * 3, links=(Link(url=onward[url]),) if url in onward else ())
        for url, text in words.items()
    ]
    graph = LocalGraph(pages, {"moth"})
    trails = graph.trails(50, seed=0)
    strategy = Hmm(walks=50, smoothing=0.5, clusters=2)
    strategy.begin(TOPIC)
    strategy.fit(graph)
    steps = np.array(cast(dict[str, Any], strategy.model())["steps"])
    from_seed = sum(trail[0].page.url == "seed" for trail in trails)
    whole = sum(len(trail) == 3 for trail in trails)
    assert steps[START] == pytest.approx(
        np.array([0.5, len(trails) - from_seed + 0.5, from_seed + 0.5, 0.5, 0.5]) / (len(trails) + 2.5)
    )
    to_target = len(trails) - from_seed + whole
    assert steps[1] == pytest.approx(np.array([to_target + 0.5, 0.5, 0.5, 0.5, 0.5]) / (to_target + 2.5))
    assert steps[2] == pytest.approx(np.array([0, from_seed + 0.5, 0.5, 0.5, 0.5]) / (from_seed + 2))


def test_no_step_leaps() -> None:
    steps = np.array(cast(dict[str, Any], model())["steps"])
    assert not steps[~ALLOWED].any()
    assert (steps[ALLOWED] > 0).all()


def test_what_is_believed_along_a_path_is_what_all_state_sequences_say() -> None:
    strategy, web = trained(mode="paper"), toy_web(seed=3)
    kept = cast(dict[str, Any], model())
    steps, shows = np.array(kept["steps"]), np.array(kept["shows"])
    path = [web.pages[f"http://toy.example/gardens/{name}"] for name in ("", "hub-1", "hub-1/page-0")]
    finder = Finder(strategy._fitted.clusters)
    seen = [finder.find(page) for page in path]
    wanted = np.zeros(STATES)
    for states in product(range(STATES), repeat=3):
        chances = [steps[i, j] * shows[j, o] for i, j, o in zip((START, *states), states, seen, strict=False)]
        wanted[states[-1]] += np.prod(chances)

    memo = b""
    for page, after in zip(path, [*path[1:], None], strict=True):
        proposals = list(strategy.score(visit(page, memo)))
        memo = next(each.memo for each in proposals if after is None or each.url == after.url)
    before, _ = unpack(memo)

    belief = wanted / wanted.sum()
    assert before[:STATES] == pytest.approx(belief, abs=1e-4)
    expected = belief @ steps[:STATES]
    assert [value for _, value in proposals[0].why] == pytest.approx(expected.tolist(), abs=1e-4)


GARDEN = Page(
    url="http://a.example/",
    text="garden soil seedling hedge",
    links=tuple(
        Link(url=f"http://a.example/{place}", around=text, place=place)
        for place, text in enumerate(["soil and compost", "butterflies on milkweed", "trains"])
    ),
)


def test_in_the_papers_mode_links_of_one_page_are_believed_alike_and_ordered_by_their_words() -> None:
    plain, telling, other = trained(mode="paper").score(visit(GARDEN))
    assert plain.why == telling.why == other.why
    assert telling.priority.score > plain.priority.score == other.priority.score


def test_looking_ahead_what_a_link_says_is_observed() -> None:
    alike, *_ = trained(mode="paper").score(visit(GARDEN))
    plain, telling, other = trained().score(visit(GARDEN))
    says = np.array(cast(dict[str, Any], model())["says"])
    for link, rating in ((plain, 0.0), (telling, TOPIC.rate(["butterflies on milkweed"])[0])):
        likely = np.array([value for _, value in alike.why]) * says[:, int(np.digitize(rating, BORDERS))]
        assert [value for _, value in link.why] == pytest.approx((likely / likely.sum()).tolist())
    assert dict(telling.why)["target"] > 2 * dict(plain.why)["target"]
    assert plain.priority == other.priority


def test_targets_have_a_cluster_of_their_own() -> None:
    web = toy_web(seed=3)
    finder = Finder(trained()._fitted.clusters)
    found = [finder.find(page) == TARGETS for url, page in web.pages.items() if url in web.targets]
    strays = [finder.find(page) == TARGETS for url, page in web.pages.items() if url not in web.targets]
    assert sum(found) == len(found)
    assert sum(strays) == 0


@pytest.mark.parametrize("text", ["", "one word each"])
def test_pages_without_words_in_common_can_be_clustered(text: str) -> None:
    pages = [Page(url=f"http://a.example/{number}", text=text) for number in range(3)]
    clusters = Clusters.of(pages[:1], pages[1:], clusters=5, dimensions=10, seed=0)
    assert 0 <= Finder(clusters).find(pages[2]) < len(clusters.centres)
    assert json.loads(json.dumps(clusters.places)) == clusters.places
    alone = Clusters.of(pages, [], clusters=5, dimensions=10, seed=0)
    assert 0 <= Finder(alone).find(pages[0]) < len(alone.centres)


def test_pages_without_targets_are_refused_in_one_line() -> None:
    strategy = Hmm()
    strategy.begin(TOPIC)
    with pytest.raises(UsageError, match='"hmm" learns from pages that link to pages on the topic'):
        strategy.fit(LocalGraph(toy_web(seed=1).pages.values(), ()))


def test_what_is_no_model_is_refused() -> None:
    good = cast(dict[str, Any], model())
    for bad in ({}, {**good, "steps": [[1.0]]}, {**good, "shows": [[1.0, 2.0]]}, {**good, "says": []}):
        with pytest.raises(ModelError, match="fit again"):
            Hmm().give(bad)
