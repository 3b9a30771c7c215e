"""``homing explain``: after a real crawl by every strategy, across re-ranks, and on a small crawl."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from homing.store.catalog.ranking import select_ranking
from homing.store.views.reader import Reader
from homing.strategies import STRATEGIES
from homing.strategies.adaptive.features import FEATURES

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]
Parts = dict[str, float]

A, SEED = "https://bees.example/a", "https://seed.example/"

LOOKED_AT, LATER = 25, 60
"""Pages after which a strategy that can has fitted itself, and those after which others have re-ranked."""
MORE = 12
"""Pages that are fetched after the stop; there is no re-ranking meanwhile."""

BELIEFS = {"target", "1 away", "2 away", "3 away", "4 or more away"}
RERANKED = {
    "navigational-rank": {"rank", "link-context"},
    "personalized-pagerank": {"rank", "link-context"},
    "context-graph": {"queue", "link-context"},
    "layered": {"queue", "link-context"},
    "hmm": BELIEFS,
    "memm": BELIEFS,
    "crf": BELIEFS,
    "treasure": {"T-Graph", "context", "similarity", "distance", "age"},
    "adaptive": {"prior", "learnt", *FEATURES},
    "tunnelling": {"wider topic"},
    "q-learning": {"expected Q", "chance of the best bin"},
}
"""Strategies that re-rank the frontier, and the parts of the priorities they then give."""

ADDEND = {"seed", "drawn", "page", "context", "inherited", "anchor", "links", "waited", "returned"}
ADDEND |= {"link", "wider page", "wider context", "wider topic", "link-context"}
ADDEND |= {"T-Graph", "age", "likelihood", "prior", "learnt"}
ELSEWHERE = {"hot words", "expected Q", "depth"}
"""Parts that do not add up to the priority: it is a key packed of them, a share, or there is only a tier."""


def settings_of(name: str) -> list[str]:
    """What makes a strategy learn and re-rank early."""
    known = {parameter["name"] for parameter in STRATEGIES.describe(name)["parameters"]}
    wanted = {"fit_after": 10, "walks": 50} if name != "tunnelling" else {"window": 20, "low": 0.9, "high": 1}
    return [word for key, value in wanted.items() if key in known for word in ("--set", f"{key}={value}")]


@pytest.fixture
def explained(homing: Homing, tmp_path: Path) -> Callable[[str], dict[str, object]]:
    """``homing explain --json``: the last stage of the way, with the state of the URL."""

    def explain(url: str) -> dict[str, object]:
        done = homing("explain", "crawl", url, "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        return {"state": found["state"], **found["way"][-1]}

    return explain


def check_parts(stage: dict[str, object]) -> Parts:
    """The parts of a priority, named and true to it."""
    why, priority = stage["why"], stage["priority"]
    assert isinstance(why, list)
    assert isinstance(priority, float)
    parts: Parts = dict(map(tuple, why))
    assert parts, f"{stage['url']}: without a reason"
    if parts.keys() == BELIEFS:
        assert sum(parts.values()) == pytest.approx(1, abs=1e-6)
        assert priority == pytest.approx(parts["target"], abs=0.003)
    elif not parts.keys() & ELSEWHERE:
        addends = [value for name, value in parts.items() if name in ADDEND]
        assert sum(addends) == pytest.approx(priority, abs=1e-6), stage
    return parts


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_every_strategy_names_the_parts_of_its_priorities(
    name: str,
    homing: Homing,
    served: Served,
    explained: Callable[[str], dict[str, object]],
    tmp_path: Path,
) -> None:
    folder = tmp_path / "crawl"
    asked = ["crawl", "butterfly gardening", *served.web.seeds, *served.options, "--concurrency", 1]
    asked += ["--strategy", name, *settings_of(name), "--out", folder, "--quiet", "--pages"]
    stop = LOOKED_AT if STRATEGIES.get(name).needs_training else LATER
    assert homing(*asked, stop).returncode == 0
    waiting, ranked = waiting_in(folder)
    assert bool(ranked) == (name in RERANKED)

    for url in (*waiting[:3], *list(ranked)[:3]):
        stage = explained(url)
        assert stage["state"] == "waiting"
        parts = check_parts(stage)
        if url in ranked:
            assert (stage["tier"], stage["priority"], parts) == ranked[url]
            assert parts.keys() <= RERANKED[name]

    assert homing(*asked, stop + MORE).returncode == 0
    pages = pages_after(folder, stop)
    assert len(pages) == MORE
    for url in pages[:3]:
        stage = explained(url)
        assert stage["state"] == "done"
        check_parts(stage)

    # What was taken after the stop by its place in the last re-rank still says so.
    stages = [explained(url) for url in pages if url in ranked]
    kept = [each for each in stages if (each["tier"], each["priority"]) == ranked[str(each["url"])][:2]]
    assert bool(kept) == (name in RERANKED)
    for stage in kept:
        assert check_parts(stage) == ranked[str(stage["url"])][2]
    if kept:
        shown = homing("explain", "crawl", kept[0]["url"]).stdout.splitlines()[-1]
        assert all(f"{part} " in shown for part in check_parts(kept[0]))


def waiting_in(folder: Path) -> tuple[list[str], dict[str, tuple[int, float, Parts]]]:
    """URLs that wait as they were found; and those that were re-ranked, best first: tier, score and parts."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        urls = dict(db.execute("SELECT key, url FROM urls WHERE standing = 0 AND kind = 'page'"))
        ranking = select_ranking(db)
    if ranking is None:
        return list(urls.values()), {}
    rows = zip(ranking.keys.tolist(), ranking.tiers.tolist(), ranking.scores.tolist(), strict=True)
    ranked = {
        urls[number]: (tier, score, dict(ranking.why(row)))
        for row, (number, tier, score) in enumerate(rows)
        if number in urls and ranking.why(row)
    }
    best_first = sorted(ranked.items(), key=lambda item: (item[1][0], -item[1][1]))
    return [url for url in urls.values() if url not in ranked], dict(best_first)


def pages_after(folder: Path, step: int) -> list[str]:
    with Reader(folder) as reader:
        return [row.url for row in reader.pages() if row.step > step]


def test_explain_has_the_agreed_shape(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, A, "--json").stdout)
    assert found["url"] == A
    assert found["state"] == "done"
    assert [stage["url"] for stage in found["way"]] == [SEED, A]
    last = found["way"][-1]
    assert last["anchor"] == "wild bees"
    assert last["priority"] == 0.8
    assert last["why"] == [["anchor", 0.5], ["page", 0.3]]
    assert found["judgement"] == {
        "score": 0.9,
        "relevant": True,
        "judge": "keywords",
        "why": [["bees", 0.6], ["wild", 0.3]],
    }


def test_explain_shows_the_path_and_the_words(homing: Homing, folder: Path) -> None:
    shown = homing("explain", folder, A).stdout
    assert shown.index(SEED) < shown.index(A)
    assert "“wild bees”" in shown
    assert "anchor 0.5, page 0.3" in shown
    assert "relevant, score 0.900 by keywords" in shown
    assert "+0.600  bees" in shown


def test_explain_of_a_queued_url_says_so(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, "https://seed.example/later", "--json").stdout)
    assert (found["state"], found["judgement"]) == ("waiting", None)
    assert [stage["url"] for stage in found["way"]] == [SEED, A, "https://seed.example/later"]
    assert "queued" in homing("explain", folder, "https://seed.example/later").stdout


def test_explain_of_a_failed_url_says_why(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, "https://dead.example/", "--json").stdout)
    assert found["state"] == "failed"
    assert found["failure"] == {"kind": "dns", "detail": "no such name"}
    assert "failed: dns: no such name" in homing("explain", folder, "https://dead.example/").stdout


def test_explain_of_a_redirect_says_so(homing: Homing, folder: Path) -> None:
    assert "redirects" in homing("explain", folder, "https://seed.example/old").stdout


def test_explain_finds_a_url_in_another_spelling(homing: Homing, folder: Path) -> None:
    assert json.loads(homing("explain", folder, "HTTPS://bees.example:443/a#x", "--json").stdout)["url"] == A


def test_explain_of_an_unknown_url_is_exit_code_1(homing: Homing, folder: Path) -> None:
    done = homing("explain", folder, "https://nowhere.example/", "--json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_explain_of_no_url_is_exit_code_2(homing: Homing, folder: Path) -> None:
    assert homing("explain", folder, "bees").returncode == 2


def test_a_title_from_the_web_cannot_command_the_terminal(homing: Homing, folder: Path) -> None:
    shown = homing("explain", folder, SEED).stdout
    assert "Seed" in shown
    assert "\x1b[31m" not in shown
