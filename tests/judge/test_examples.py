"""The judge that compares pages with examples."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.judge import JUDGES, Brief
from homing.judge.examples import Examples
from homing.judge.trained.validation import roc_auc
from homing.model import Page, Reply
from homing.parse import PageParser

WIKISPEEDIA = Path(__file__).parents[3] / "shared" / "data" / "webs" / "wikispeedia"
WEB = toy_web(seed=0)
TARGETS = tuple(WEB.pages[url] for url in sorted(WEB.targets))
OTHERS = tuple(WEB.pages[url] for url in sorted(WEB.pages.keys() - WEB.targets))


def page(text: str) -> Page:
    return Page(url="http://a.example/", text=text, language="en")


@pytest.mark.parametrize("compare", ["centroid", "max"])
@pytest.mark.parametrize("weights", ["tf-idf", "tf"])
def test_every_way_to_compare_tells_the_topic_from_the_rest(compare: str, weights: str) -> None:
    judge = Examples(Brief(examples=TARGETS[:6]), compare=compare, weights=weights)  # type: ignore[arg-type]
    on = [judge.judge(each).score for each in TARGETS[6:]]
    off = [judge.judge(each).score for each in OTHERS[::4]]
    assert roc_auc(on, off) > 0.9
    again = Examples.from_state(json.loads(json.dumps(judge.state())))
    assert [again.judge(each).score for each in TARGETS[6:]] == on


def test_the_maximum_needs_only_one_example_to_be_like_the_page() -> None:
    examples = (page("moth wings nectar"), page("kiln glaze clay"), page("rook pawn bishop"))
    nearest = Examples(Brief(examples=examples), compare="max", weights="tf", gamma=0.9)
    middle = Examples(Brief(examples=examples), compare="centroid", weights="tf", gamma=0.9)
    assert nearest.judge(page("moths, wings and nectar")).relevant
    assert not middle.judge(page("moths, wings and nectar")).relevant


@pytest.mark.parametrize(("text", "cosine"), [("moth moth wing", 3 / 10**0.5), ("moth train", 0.5)])
def test_gamma_is_the_plain_cosine_from_which_on_a_page_is_relevant(text: str, cosine: float) -> None:
    brief = Brief(examples=(page("moth wing"),))
    for gamma, relevant in ((cosine - 0.01, True), (cosine + 0.01, False)):
        judge = Examples(brief, compare="max", weights="tf", gamma=gamma)
        assert judge.judge(page(text)).relevant == relevant


def test_unlabelled_pages_that_are_nearly_examples_become_examples() -> None:
    example = page("swallowtail fennel caterpillar chrysalis fritillary milkweed antenna")
    copy = page("swallowtail fennel caterpillar chrysalis fritillary milkweed antenna zebrine")
    other = page("railway timetable platform engine carriage")
    wanted = page("zebrine")
    brief = Brief(examples=(example,), unlabelled=(copy, other))
    assert Examples(brief, promote=0.8).judge(wanted).score > 0
    assert Examples(brief, promote=1.0).judge(wanted).score == 0


def test_a_parameter_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match='judge "examples": "gamma" must be from 0 to 1, not 3'):
        Examples(Brief(examples=TARGETS[:2]), gamma=3)


def test_a_model_that_compares_in_an_unknown_way_is_refused() -> None:
    state = dict(Examples(Brief(examples=TARGETS[:2])).state())
    state["parameters"] = {"compare": "min", "weights": "tf", "gamma": None, "promote": 0.8}
    with pytest.raises(ModelError, match="the model is damaged"):
        Examples.from_state(state)


@pytest.fixture(scope="module")
def articles() -> list[tuple[Page, set[str]]]:
    """Some hundred articles of a recorded encyclopedia with their subjects."""
    if not WIKISPEEDIA.exists():
        pytest.skip("needs the recorded web wikispeedia beside the project")
    return list(islice(_articles(), 700))


def _articles() -> Iterator[tuple[Page, set[str]]]:
    parser = PageParser()
    with lzma.open(WIKISPEEDIA / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 1000):
            each = json.loads(line)
            if each["kind"] == "article":
                headers = (("content-type", each["content_type"]),)
                body = each["body"].encode(each["charset"])
                reply = Reply(url=each["url"], final_url=each["url"], status=200, headers=headers, body=body)
                yield _without_subjects(parser.read(reply)), set(each["labels"])


def _without_subjects(read: Page) -> Page:
    """The articles name their own label in a line and a heading; no judge may read that."""
    text = "\n".join(line for line in read.text.splitlines() if "Wikipedia Selection" not in line)
    headings = tuple(each for each in read.headings if "Wikipedia Selection" not in each)
    return Page(url=read.url, title=read.title, headings=headings, text=text, language=read.language)


@pytest.mark.parametrize("name", ["examples", "bayes", "svm"])
@pytest.mark.parametrize("subject", ["Biology.Birds", "Physics.Space_Astronomy"])
def test_a_few_real_articles_tell_their_subject_from_others(
    articles: list[tuple[Page, set[str]]], name: str, subject: str
) -> None:
    """A slice of two development topics; the bar for the whole is .90, and experiments/ has the whole."""
    on = [read for read, labels in articles if f"subject.Science.{subject}" in labels]
    off = [read for read, labels in articles if f"subject.Science.{subject}" not in labels]
    judge = JUDGES.get(name)(Brief(examples=tuple(on[::4])))
    right, wrong = ([judge.judge(read) for read in pages] for pages in (on[1::4] + on[2::4], off[::3]))
    assert roc_auc([each.score for each in right], [each.score for each in wrong]) > 0.9
    assert sum(each.relevant for each in right) / len(right) > 0.3
    assert sum(each.relevant for each in wrong) / len(wrong) < 0.15
