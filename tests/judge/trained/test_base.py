"""What holds of every judge that is trained on pages.

``judge/bayes``, ``judge/svm`` and ``judge/neural`` are tested here, and with them what training goes through:
``training_set``, ``held_out``, ``feature_matrix`` and ``plain_data``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from statistics import fmean
from typing import cast

import pytest

from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.judge import JUDGES, Brief, Judge
from homing.judge.trained.validation import roc_auc
from homing.model import Page, State

NAMES = ("examples", "bayes", "svm", "neural")
WEB = toy_web(seed=0)
TARGETS = tuple(WEB.pages[url] for url in sorted(WEB.targets))
OTHERS = tuple(WEB.pages[url] for url in sorted(WEB.pages.keys() - WEB.targets))

Train = Callable[[Brief], Judge]


@pytest.fixture(params=NAMES)
def train(request: pytest.FixtureRequest) -> Train:
    return cast(Train, JUDGES.get(request.param))


def page(text: str, language: str = "en") -> Page:
    return Page(url="http://a.example/", text=text, language=language)


def area(judge: Judge, on: tuple[Page, ...], off: tuple[Page, ...]) -> float:
    return roc_auc([judge.judge(each).score for each in on], [judge.judge(each).score for each in off])


def f1(judge: Judge, on: tuple[Page, ...], off: tuple[Page, ...]) -> float:
    found = sum(judge.judge(each).relevant for each in on)
    wrong = sum(judge.judge(each).relevant for each in off)
    return 2 * found / (found + wrong + len(on))


@pytest.mark.parametrize("count", [1, 2, 8])
def test_a_few_examples_alone_tell_the_topic_from_the_rest(train: Train, count: int) -> None:
    judge = train(Brief(examples=TARGETS[:count]))
    assert area(judge, TARGETS[8:], OTHERS[::4]) > 0.95


def test_the_verdicts_from_examples_alone_make_sense(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:8]))
    assert f1(judge, TARGETS[8:], OTHERS[::2]) > 0.7


def test_a_page_on_the_topic_says_which_words_decided(train: Train) -> None:
    judgement = train(Brief(examples=TARGETS[:8], negatives=OTHERS[::20])).judge(TARGETS[20])
    words = [word for word, part in judgement.why if part > 0]
    assert {"butterflies", "caterpillar", "chrysalis", "nectar", "wings"} & set(words[:6])
    assert len(judgement.why) <= 12


def test_words_are_shown_as_they_are_written_and_not_as_stems(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:8], negatives=OTHERS[::20]))
    assert "caterpillar" in judge.topic().keywords
    assert not {"caterpillar"[:-1], "butterfli", "chrysali"} & set(judge.topic().keywords)


def test_the_topic_is_described_in_one_line(train: Train) -> None:
    topic = train(Brief(text="wings", examples=TARGETS[:4])).topic()
    assert topic.text == "wings"
    assert topic.examples == TARGETS[:4]
    assert topic.description.startswith(f"words in en, heaviest first: {topic.keywords[0]} 1.00, ")
    assert "\n" not in topic.description


# --- more labels -------------------------------------------------------------------------------------

_SUBJECT = "moth wing nectar larva antenna cocoon scale pollen".split()
_NEAR = "beetle wing shell larva antenna jaw thorax pollen".split()
_SITE = "members newsletter society imprint donate chronicle".split()
_COMMON = "people time year work home water story place hand world school week".split()


def articles(words: list[str], seed: int, number: int) -> tuple[Page, ...]:
    """Pages of a society's site: their own words, and those that every page of the site has."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        said = chance.choices(words, k=8) + chance.choices(_SITE, k=12) + chance.choices(_COMMON, k=40)
        chance.shuffle(said)
        found.append(page(" ".join(said)))
    return tuple(found)


def test_it_gets_better_as_labels_come_in(train: Train) -> None:
    """Examples alone cannot tell what the site says everywhere from what the topic is."""
    on, off = articles(_SUBJECT, seed=1, number=80), articles(_NEAR, seed=2, number=80)
    alone, some, many = (
        train(Brief(examples=on[:few], negatives=off[:others])) for few, others in ((3, 0), (6, 6), (20, 20))
    )
    assert area(alone, on[20:], off[20:]) < area(some, on[20:], off[20:]) <= area(many, on[20:], off[20:])
    assert f1(alone, on[20:], off[20:]) < f1(many, on[20:], off[20:])


def test_unlabelled_pages_help_even_if_some_are_on_the_topic(train: Train) -> None:
    on, off = articles(_SUBJECT, seed=1, number=80), articles(_NEAR, seed=2, number=80)
    mixed = on[6:16] + off[:30]
    alone = train(Brief(examples=on[:6]))
    helped = train(Brief(examples=on[:6], unlabelled=mixed))
    misled = train(Brief(examples=on[:6], negatives=mixed))
    assert area(helped, on[20:], off[30:]) > area(alone, on[20:], off[30:])
    assert f1(helped, on[20:], off[30:]) > f1(misled, on[20:], off[30:])


# --- odd training sets -------------------------------------------------------------------------------


def test_equal_examples_count_as_one(train: Train) -> None:
    once, often = train(Brief(examples=TARGETS[:1])), train(Brief(examples=TARGETS[:1] * 5))
    assert [once.judge(each).score for each in OTHERS[:3]] == [often.judge(each).score for each in OTHERS[:3]]


def test_an_example_that_is_a_negative_too_is_an_example(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:3], negatives=TARGETS[:3] + OTHERS[:3]))
    assert judge.judge(TARGETS[0]).relevant


@pytest.mark.parametrize("brief", [Brief(), Brief(text="moths"), Brief(negatives=OTHERS[:3])])
def test_without_a_page_on_the_topic_it_says_what_it_needs(train: Train, brief: Brief) -> None:
    with pytest.raises(UsageError, match="needs pages on the topic: give at least one example"):
        train(brief)


def test_examples_without_words_are_refused(train: Train) -> None:
    with pytest.raises(UsageError, match="finds no words in the examples: give pages that have text"):
        train(Brief(examples=(page(""), page("of the and"))))


def test_an_example_may_have_nothing_but_a_title(train: Train) -> None:
    judge = train(Brief(examples=(Page(url="http://a.example/", title="Swallowtail butterflies"),)))
    assert judge.judge(page("swallowtail butterflies")).relevant
    assert not judge.judge(OTHERS[0]).relevant


@pytest.mark.parametrize(
    "foreign",
    [page(""), page("of the"), page("我在街上看见火车站很旧", "zh"), page("поезд опоздал на час", "ru")],
)
def test_a_page_of_which_it_knows_no_word_scores_nothing(train: Train, foreign: Page) -> None:
    judgement = train(Brief(examples=TARGETS[:4], negatives=OTHERS[::50])).judge(foreign)
    assert (judgement.score, judgement.why) == (0.0, ())


def test_pages_whose_language_was_guessed_wrongly_are_read_all_the_same(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:8]))
    wrong = Page(url="", title=TARGETS[9].title, text=TARGETS[9].text, language="lb")
    right = Page(url="", title=TARGETS[9].title, text=TARGETS[9].text, language="en")
    assert judge.judge(wrong) == judge.judge(right)


@pytest.mark.parametrize(
    ("language", "examples", "on", "off"),
    [
        (
            "de",
            ("Schmetterlinge saugen Nektar aus Blüten im Garten", "Raupen werden Schmetterlinge im Garten"),
            "Ein Schmetterling sitzt auf der Blüte und saugt Nektar",
            "Der Zug nach Hamburg fährt heute später ab",
        ),
        (
            "ru",
            ("Бабочки пьют нектар цветов в саду", "Гусеницы превращаются в бабочек в саду"),
            "Бабочка сидит на цветке и пьёт нектар",
            "Поезд в Москву сегодня опаздывает на час",
        ),
        (
            "zh",
            ("蝴蝶在花园里吸食花蜜", "毛虫在花园里变成蝴蝶"),
            "一只蝴蝶停在花上吸食花蜜",
            "开往北京的火车今天晚点",
        ),
        (
            "eo",  # there are no counts of its words
            ("Papilioj trinkas nektaron", "Raŭpoj fariĝas papilioj"),
            "papilioj trinkas nektaron",
            "trajno malfruas",
        ),
    ],
)
def test_topics_may_be_shown_in_many_languages(
    train: Train, language: str, examples: tuple[str, ...], on: str, off: str
) -> None:
    judge = train(Brief(examples=tuple(page(text, language) for text in examples)))
    assert judge.judge(page(on, language)).score > judge.judge(page(off, language)).score
    assert judge.judge(page(on, language)).relevant
    assert not judge.judge(page(off, language)).relevant
    ratings = judge.rate([on, off])
    assert ratings[0] > ratings[1]


def test_two_languages_are_each_read_in_their_own_stems(train: Train) -> None:
    examples = (
        page("Schmetterlinge saugen Nektar aus Blüten", "de"),
        page("Raupen werden im Garten zu Schmetterlingen", "de"),
        page("butterflies drink nectar from flowers"),
        page("caterpillars turn into butterflies in the garden"),
    )
    judge = train(Brief(examples=examples))
    german, english = page("Ein Schmetterling im Garten", "de"), page("A butterfly in a garden")
    assert judge.judge(german).score > judge.judge(page("Ein Zug nach Hamburg", "de")).score
    assert judge.judge(english).score > judge.judge(page("A train to the coast")).score
    on, off = judge.rate(["viele Schmetterlinge", "viele Züge"])
    assert on > off


# --- short texts -------------------------------------------------------------------------------------


def test_short_texts_are_rated_on_their_own_scale(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:8], negatives=OTHERS[::20]))
    on, off = judge.rate(["the wings of butterflies in summer", "the timetable of a railway in summer"])
    assert on > 0.5 > off
    assert judge.rate(["", "of the"]) == [0.0, 0.0]


def test_links_to_the_topic_are_rated_higher_than_others(train: Train) -> None:
    judge = train(Brief(examples=TARGETS[:8]))
    links = [link for each in OTHERS[:60] + TARGETS[20:] for link in each.links]
    rated = judge.rate([link.around for link in links])
    on = [rating for link, rating in zip(links, rated, strict=True) if link.url in WEB.targets]
    off = [rating for link, rating in zip(links, rated, strict=True) if link.url not in WEB.targets]
    assert roc_auc(on, off) > 0.9
    assert fmean(on) > fmean(off) + 0.2


# --- model files -------------------------------------------------------------------------------------


def test_a_judge_comes_back_from_json_as_it_was(train: Train) -> None:
    judge = train(Brief(text="wings", examples=TARGETS[:6], negatives=OTHERS[::40]))
    again = type(judge).from_state(json.loads(json.dumps(judge.state())))
    for each in TARGETS[:12] + OTHERS[:12]:
        assert again.judge(each) == judge.judge(each)
    windows = [link.around for link in OTHERS[0].links]
    assert again.rate(windows) == judge.rate(windows)
    assert again.topic().description == judge.topic().description
    assert again.topic().text == "wings"
    assert again.state() == judge.state()


def test_training_is_the_same_every_time(train: Train) -> None:
    brief = Brief(examples=TARGETS[:5], negatives=OTHERS[::40], unlabelled=OTHERS[1::40])
    assert train(brief).state() == train(brief).state()


@pytest.fixture(scope="module")
def states() -> dict[str, str]:
    """One good state a judge, as JSON."""
    return {name: json.dumps(JUDGES.get(name)(WEB.brief()).state()) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("languages", []),
        ("languages", "en"),
        ("languages", [7]),
        ("text", None),
        ("parameters", None),
        ("parameters", {"judge": 1}),
        ("scorer", None),
        ("scorer", {}),
        ("scorer", []),
        ("pages", {"slope": 1.0}),
        ("pages", {"slope": "1", "bias": 0.0}),
        ("pages", {"slope": float("nan"), "bias": 0.0}),
        ("pages", {"slope": -1.0, "bias": 0.0}),
        ("short texts", None),
        ("words", {"moth": 1}),
        ("words", None),
    ],
)
def test_a_damaged_state_is_refused_in_one_line(
    states: dict[str, str], name: str, key: str, value: object
) -> None:
    state: dict[str, object] = {**json.loads(states[name]), key: value}
    with pytest.raises(ModelError, match=r"^the model is damaged: .*; train it again$"):
        JUDGES.get(name).from_state(state)


@pytest.mark.parametrize("name", NAMES)
def test_no_part_of_a_state_may_be_missing(states: dict[str, str], name: str) -> None:
    whole: State = json.loads(states[name])
    for missing in whole.keys() - {"plainly"}:
        with pytest.raises(ModelError):
            JUDGES.get(name).from_state({key: whole[key] for key in whole.keys() - {missing}})
