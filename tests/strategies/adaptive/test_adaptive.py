"""The default strategy: ``link_table``, ``features``, ``prior``, ``regression``, ``tokens``, ``threads``."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest

from homing.checks.replays import ToyCrawl, replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import OldStateError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.adaptive.co_occurrence import NO_CO_OCCURRENCE, WORDS, CoOccurrence
from homing.strategies.adaptive.features import FEATURES, features
from homing.strategies.adaptive.folders import Folders
from homing.strategies.adaptive.link_table import LinkTable
from homing.strategies.adaptive.prior import MEANS, SPREADS
from homing.strategies.adaptive.regression import Regression, weighed
from homing.strategies.adaptive.similar_names import SimilarNames
from homing.strategies.adaptive.tokens import BUCKETS, shares, summed, weigh, words_of_links
from homing.strategies.best_first import BestFirst
from homing.strategies.link_context import LinkContext
from homing.urls import key

HERE = "http://a.example/"


def page_of(name: str, *targets: str, block: Callable[[int], str] = lambda place: "") -> Page:
    links = tuple(
        Link(url=HERE + target, anchor=target, around=f"see {target}", block=block(place), place=place)
        for place, target in enumerate(targets)
    )
    return Page(url=HERE + name, links=links, language="en")


def add_page(seen: LinkTable, page: Page, rating: float = 0.0) -> None:
    seen.add_page(key(page.url), page, lambda texts: [rating] * len(texts))


def links_to(seen: LinkTable, name: str) -> list[int]:
    found: list[int] = seen.links_to(seen.places_of([key(HERE + name)]))[:, 0].tolist()
    return found


def _similar_names() -> SimilarNames:
    """Of a crawl that has found sparrows right and trains wrong."""
    similar_names = SimilarNames(remember=10)
    similar_names.add(1, "Sparrow", np.zeros(0, np.uint32), score=1.0)
    similar_names.add(2, "Steam train", np.zeros(0, np.uint32), score=0.0)
    return similar_names


def _folders() -> Folders:
    """Of a crawl that has found one page of the host right."""
    folders = Folders(remember=10)
    folders.add(1, HERE + "moths", score=1.0)
    return folders


def visit_of(page: Page, step: int, score: float) -> Visit:
    entry = Entry(key=key(page.url), url=page.url, priority=Priority(), seq=step)
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=step, entry=entry, page=page, judgement=judgement)


# -- the table of links


def test_links_to_a_url_are_chained_the_latest_first() -> None:
    seen = LinkTable(most=1_000)
    add_page(seen, page_of("one", "x", "moths"))
    add_page(seen, page_of("two", "moths"))
    assert links_to(seen, "moths") == [2, 1]


def test_only_the_first_of_several_links_from_one_page_counts() -> None:
    seen = LinkTable(most=1_000)
    add_page(seen, page_of("one", "moths", "x", "moths"))
    assert links_to(seen, "moths") == [0]


def test_success_of_a_group_is_what_its_links_led_to_above_the_usual_and_some_doubt() -> None:
    """Of three links of a block one led to a target and one did not: (1 + 0 - 2 × .2) / (2 + 3)."""
    seen = LinkTable(most=1_000)
    add_page(seen, page_of("hub", "a", "b", "c", "d", block=lambda place: "first" if place < 3 else "other"))
    seen.judge(key(HERE + "a"), 1.0)
    seen.judge(key(HERE + "b"), 0.0)
    rows = np.array([2, 3])
    assert seen.success("block", rows, average=0.2, prior_count=3).tolist() == pytest.approx([0.12, 0.0])
    assert seen.success("page", rows, average=0.2, prior_count=3).tolist() == pytest.approx([0.12, 0.12])


def test_pages_that_were_judged_before_the_link_was_found_count_too() -> None:
    seen = LinkTable(most=1_000)
    seen.judge(key(HERE + "a"), 1.0)
    add_page(seen, page_of("hub", "a", "b"))
    assert seen.success("page", np.array([1]), average=0.0, prior_count=1).tolist() == [0.5]


def test_nearer_neighbours_count_for_more() -> None:
    """The link before leads to a target, the one two after does not, above .3 and beside siblings at .2:
    (.2 + 1 × (1 - .3) + .5 × (0 - .3)) / (1 + 1 + .5)."""
    seen = LinkTable(most=1_000)
    add_page(seen, page_of("hub", "target", "here", "unknown", "other"))
    add_page(seen, page_of("elsewhere", "not a neighbour"))
    seen.judge(key(HERE + "target"), 1.0)
    seen.judge(key(HERE + "other"), 0.0)
    near = seen.neighbours(np.array([1]), np.array([0.2]), average=0.3, prior_count=1, fading=0.5, reach=2)
    assert near.tolist() == pytest.approx([0.75 / 2.5])


def test_a_second_word_on_a_page_is_not_heard() -> None:
    seen = LinkTable(most=1_000)
    add_page(seen, page_of("hub", "a", "b"))
    seen.judge(key(HERE + "a"), 1.0)
    seen.judge(key(HERE + "a"), 0.0)
    assert seen.success("page", np.array([1]), average=0.0, prior_count=1).tolist() == [0.5]


def test_what_pages_turn_out_to_be_later_counts_as_if_it_had_always_been_known() -> None:
    late, early = LinkTable(most=1_000), LinkTable(most=1_000)
    for seen, first in ((late, 1.0), (early, 0.25)):
        add_page(seen, page_of("hub", "a", "b", "c"))
        seen.judge(key(HERE + "a"), first)
        seen.judge(key(HERE + "b"), 0.5)
    waiting_and_unknown = [key(HERE + "c"), key(HERE + "nowhere")]
    keys = np.array([key(HERE + "a"), *waiting_and_unknown])
    assert late.rescore(keys, np.array([0.25, 1.0, 1.0])) == -768  # of 1,024
    assert late.state() == early.state()
    rows = np.array([2])
    for group in ("page", "block", "spot", "path"):
        assert late.success(group, rows, average=0, prior_count=1) == early.success(
            group, rows, average=0, prior_count=1
        )


def test_the_oldest_links_are_forgotten_and_the_rest_stays_true() -> None:
    few, all_of_them = LinkTable(most=40), LinkTable(most=10_000)
    for number in range(30):
        page = page_of(f"p{number}", f"t{number}", f"t{number + 1}", f"p{number + 1}", "sparrow")
        for seen in (few, all_of_them):
            add_page(seen, page, rating=number / 30)
            seen.judge(key(page.url), number / 30)
    assert len(few.links_to(few.places_of([key(f"{HERE}t30")]))) == 1
    assert few.places_of([key(f"{HERE}t0")]).tolist() == [-1]
    rows = []
    for seen in (few, all_of_them):
        place = seen.places_of([key(f"{HERE}t30")])
        rows.append(
            features(
                seen, place, np.zeros(BUCKETS), NO_CO_OCCURRENCE, _similar_names(), _folders(), average=0.3
            )
        )
    here = [
        place for place, name in enumerate(FEATURES) if name != "tag path"
    ]  # counted over the whole crawl
    assert rows[0][0, here].tolist() == rows[1][0, here].tolist()
    assert {few.names(np.array(links_to(few, "sparrow")))[0].size, len(links_to(few, "sparrow"))} == {8}


def test_what_is_known_of_forgotten_blocks_takes_no_room() -> None:
    seen = LinkTable(most=100)
    for number in range(400):
        add_page(seen, page_of(f"p{number}", f"t{number}", f"u{number}", block=str))
    assert max(len(seen._groups[group]) for group in ("block", "spot")) <= 2 * 100


def test_the_table_is_the_same_after_a_trip_through_json() -> None:
    seen, restored = LinkTable(most=100), LinkTable(most=100)
    for number in range(9):
        add_page(seen, page_of(f"p{number}", f"t{number % 4}", f"p{number + 1}", "sparrow"), rating=0.5)
        seen.judge(key(f"{HERE}p{number}"), number / 9)
    restored.restore(json.loads(json.dumps(seen.state())))
    waiting = [key(f"{HERE}t{number}") for number in range(4)] + [key(f"{HERE}sparrow")]
    places = [each.places_of(waiting) for each in (seen, restored)]
    dice = np.random.default_rng(1)
    words, co_occurrence = (
        dice.normal(size=BUCKETS),
        CoOccurrence(dice.normal(size=WORDS), dice.random(WORDS)),
    )
    one, other = (
        features(each, at, words, co_occurrence, _similar_names(), _folders(), average=0.1)
        for each, at in zip((seen, restored), places, strict=True)
    )
    assert one.tolist() == other.tolist()
    assert restored.state() == seen.state()


# -- learning


def test_words_are_weighed_as_by_an_exact_ridge_regression() -> None:
    dice = np.random.default_rng(7)
    words = dice.integers(0, 40, 120).astype(np.uint16)
    owners = np.repeat(np.arange(12), 10)
    values, scores = dice.random(120), dice.random(12)
    table = np.zeros((12, BUCKETS))
    np.add.at(table, (owners, words), values)
    exact = table.T @ np.linalg.solve(table @ table.T + 3 * np.eye(12), scores - scores.mean())
    assert np.allclose(weigh(words, values, owners, scores, pull=3.0), exact, atol=1e-6)


def test_a_word_is_another_one_in_an_anchor() -> None:
    link = Link(url="http://a.example/moths", anchor="moths", around="moths")
    words, counts = words_of_links([link, link], "en")
    assert counts.tolist() == [3, 3]
    assert words[:3].tolist() == words[3:].tolist()
    assert len(set(words.tolist())) == 3


def test_the_words_of_each_kind_are_one_long_together() -> None:
    link = Link(url="http://a.example/x", anchor="red moths", around="the red moths of summer")
    words, counts = words_of_links([link], "en")
    owners = np.zeros(counts[0], np.int64)
    assert (shares(words, owners) ** 2).sum() == pytest.approx(3)
    ones = summed(words, owners, np.ones(BUCKETS), count=1)
    assert ones[0] == pytest.approx(shares(words, owners).sum())


def test_weights_are_pulled_to_the_prior_and_moved_by_training_examples() -> None:
    dice = np.random.default_rng(3)
    spread = dice.random((400, len(FEATURES)))
    rows, nothing = np.array(MEANS) + spread * SPREADS, (np.array([], np.uint16), np.array([]))
    truth = spread[:, FEATURES.index("tag path")]
    errors = []
    for examples in (0, 20, 400):
        regression = Regression(pull=5, remember=1_000)
        for row, score in zip(rows[:examples], truth, strict=False):
            regression.add(1, row, score, *nothing)
        if examples:
            regression.fit()
        errors.append(float(np.abs(regression.of(rows)[0] - truth).mean()))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < errors[0] / 4


def test_no_weight_falls_below_0_and_the_others_are_the_best_beside_that() -> None:
    """Against every choice of weights that are 0: the best of those whose others are not below it."""
    dice = np.random.default_rng(5)
    for _ in range(20):
        rows = dice.normal(size=(30, 5))
        square, right = rows.T @ rows, dice.normal(size=5) * 20
        best = math.inf
        for chosen in range(16):
            free = [place for place in range(5) if place == 4 or chosen >> place & 1]
            solved = np.zeros(5)
            solved[free] = np.linalg.solve(square[np.ix_(free, free)], right[free])
            if (solved[:-1] >= 0).all():
                best = min(best, float(solved @ square @ solved / 2 - solved @ right))
        found = weighed(square, right)
        assert (found[:-1] >= 0).all()
        assert found @ square @ found / 2 - found @ right == pytest.approx(best, abs=1e-6)


def test_training_examples_of_re_scored_pages_change_too() -> None:
    regression, nothing = Regression(pull=5, remember=20), (np.array([], np.uint16), np.array([]))
    for number in (7, -3, 5):
        regression.add(number, np.zeros(len(FEATURES)), 0.5, *nothing)
    regression.rescore(np.array([5, 99, 7]), np.array([0.1, 0.2, 0.9]))
    assert regression.examples()[1].tolist() == pytest.approx([0.9, 0.5, 0.1])


def test_the_oldest_training_examples_are_forgotten() -> None:
    regression = Regression(pull=5, remember=20)
    for number in range(100):
        regression.add(number, np.full(len(FEATURES), number), 0.5, np.array([number], np.uint16), np.ones(1))
    rows, _ = regression.examples()
    assert 20 <= len(rows) <= 25
    assert rows[-1, 0] == 99
    regression.fit()


# -- the strategy


def test_it_finds_more_than_the_simple_ones_on_toy_webs() -> None:
    found = dict.fromkeys((Adaptive, LinkContext, BestFirst), 0.0)
    for seed in range(1, 6):
        for make in found:
            found[make] += replay(toy_web(seed=seed), make(), pages=80).harvest
    assert found[Adaptive] > found[BestFirst]
    assert found[Adaptive] >= 0.95 * found[LinkContext]


@pytest.mark.parametrize("parameters", [{"learn": False}, {"remember": 20, "links": 1_000}])
def test_light_and_forgetful_it_passes_the_battery(parameters: dict[str, float]) -> None:
    check_strategy(lambda: Adaptive(**parameters))  # type: ignore[arg-type]


def begun(*examples: Page) -> Adaptive:
    strategy = Adaptive()
    strategy.begin(Topic(text="moths", examples=examples, rate=lambda texts: [0.5] * len(texts)))
    return strategy


def said_of(strategy: Adaptive, visit: Visit) -> dict[str, Proposal]:
    strategy.learn(visit)
    return {proposal.url: proposal for proposal in strategy.score(visit)}


def test_an_example_that_is_fetched_remains_one_and_sums_stay_true() -> None:
    example = page_of("example", "beyond")
    strategy = begun(example, page_of("other example", "beyond"))
    pages = [page_of("example", "beyond"), *(page_of(f"page{number}") for number in range(9))]
    for step, page in enumerate([*pages, pages[3]], start=1):  # and one comes again
        strategy.learn(visit_of(page, step, 0.25))
    totals = []
    for _ in range(2):
        strategy._refine()
        totals.append(strategy._total)
    assert totals == [11 * 256] * 2
    place = strategy._link_table._places.of(np.array([key(example.url)]))
    assert strategy._link_table._urls["score"][place].tolist() == [1_024]


def test_a_link_to_an_example_leads_to_what_the_example_links_to() -> None:
    example, other = page_of("example", "beyond", "other"), page_of("other", "far beyond")
    strategy = begun(example, other)
    said = said_of(strategy, visit_of(page_of("home", "plain"), 1, 0.1))
    assert said.keys() == {HERE + "plain"}
    said = said_of(strategy, visit_of(page_of("plain", "example", "more"), 2, 0.1))
    assert said.keys() == {HERE + name for name in ("example", "more", "beyond", "other", "far beyond")}


def test_proposals_come_in_the_order_of_the_links_and_so_in_every_process() -> None:
    names = [f"example{number}" for number in range(8)]
    strategy = begun(*(page_of(name, f"beyond {name}") for name in names))
    visit = visit_of(page_of("home", *reversed(names)), 1, 0.1)
    strategy.learn(visit)
    proposed = [proposal.url.removeprefix(HERE) for proposal in strategy.score(visit)]
    assert proposed == [*(f"beyond {name}" for name in reversed(names)), *reversed(names)]


def test_an_example_is_in_hand_and_comes_last() -> None:
    strategy = begun(page_of("example", "beyond"))
    said = said_of(strategy, visit_of(page_of("home", "example", "plain"), 1, 0.1))
    last = min(said.values(), key=lambda proposal: proposal.priority.score)
    assert (last.url, last.why) == (HERE + "example", (("in hand", 1.0),))


def test_links_beside_an_example_are_worth_more() -> None:
    strategy = begun(page_of("example"))
    beside = said_of(strategy, visit_of(page_of("one", "x", "example"), 1, 0.1))[HERE + "x"]
    alone = said_of(strategy, visit_of(page_of("two", "y", "z"), 2, 0.1))[HERE + "y"]
    assert beside.priority.better_than(alone.priority)


def test_a_reason_adds_up_and_names_the_three_heaviest_signs() -> None:
    web = toy_web(seed=1)
    crawl = ToyCrawl(web, Adaptive())
    crawl.run(40)
    entries = [entry for entry in crawl.entries.values() if len(entry.why) > 1]
    assert entries
    for entry in entries:
        why = dict(entry.why)
        assert why["prior"] + why["learnt"] == pytest.approx(entry.priority.score)
        assert len(why) == 5
        assert why.keys() - {"prior", "learnt"} <= set(FEATURES)


def test_a_state_of_another_version_is_refused_before_anything_changes() -> None:
    strategy = Adaptive()
    before = json.dumps(strategy.state())
    with pytest.raises(OldStateError):
        strategy.restore({"seen": 7, "total": 1})
    assert json.dumps(strategy.state()) == before


def test_a_state_with_the_former_names_of_features_is_restored() -> None:
    strategy = Adaptive()
    ToyCrawl(toy_web(seed=1), strategy).run(40)
    state = json.dumps(strategy.state())
    former = state.replace('"co-occurrence"', '"company"').replace('"similar names"', '"kindred"')
    assert former != state
    resumed = Adaptive()
    ToyCrawl(toy_web(seed=1), resumed)  # which tells it the topic
    resumed.restore(json.loads(former))
    assert json.dumps(resumed.state()) == state


def test_it_learns_nothing_where_it_is_told_not_to() -> None:
    unfitted = Adaptive().state()["expectation"]
    for learn in (False, True):
        strategy = Adaptive(learn=learn)
        ToyCrawl(toy_web(seed=1), strategy).run(40)
        assert (strategy.state()["expectation"] != unfitted) == learn


def test_a_page_does_not_count_in_its_own_training_features() -> None:
    """A page called *Sparrow* says nothing of itself: no page of like name has come yet."""
    strategy = Adaptive()
    strategy.begin(Topic(text="", rate=lambda texts: [0.0] * len(texts)))
    strategy.learn(visit_of(page_of("home", "sparrow"), 1, 0.1))
    strategy.learn(visit_of(page_of("sparrow", "locomotive"), 2, 0.9))
    rows, _ = strategy._regression.examples()
    assert rows[:, FEATURES.index("similar names")].tolist() == [0.0]
