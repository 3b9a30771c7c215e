"""The judge that needs nothing but a sentence."""

from __future__ import annotations

import json
import lzma
from itertools import islice
from pathlib import Path
from statistics import mean

import pytest

from homing.errors import UsageError
from homing.judge import Brief
from homing.judge.keywords import Keywords
from homing.model import Page
from homing.parse.html import read_html

WIKISPEEDIA = Path(__file__).parents[3] / "shared" / "data" / "webs" / "wikispeedia"
FILLER = " Most people in the town know what the weather will be like next week." * 60


def page(text: str, **fields: str) -> Page:
    return Page(url="http://a.example/", text=text, **fields)  # type: ignore[arg-type]


def score(topic: str | Brief, text: str, **fields: str) -> float:
    return Keywords(topic).judge(page(text, **fields)).score


def test_a_page_that_speaks_of_the_topic_passes() -> None:
    text = (
        "Butterflies drink nectar. A butterfly lays eggs; butterflies fly by day, some butterflies migrate."
    )
    assert Keywords("butterflies").judge(page(text + FILLER)).relevant


@pytest.mark.parametrize("topic", ["butterflies", "gardening that attracts butterflies", "swallowtail"])
@pytest.mark.parametrize("filler", ["", FILLER])
def test_one_mention_does_not_make_a_page_relevant(topic: str, filler: str) -> None:
    judgement = Keywords(topic).judge(page("A butterfly, a swallowtail." + filler))
    assert 0 < judgement.score < 0.5
    assert not judgement.relevant


def test_a_page_without_the_words_scores_nothing() -> None:
    judgement = Keywords("butterflies").judge(page(FILLER))
    assert judgement.score == 0
    assert judgement.why == ()


def test_one_word_used_often_is_not_a_topic_of_three() -> None:
    only_one = "butterfly " * 40 + FILLER
    all_three = "butterflies attract gardeners to a garden; gardens attract butterflies " * 3 + FILLER
    topic = "gardening that attracts butterflies"
    assert score(topic, only_one) < 0.5 < score(topic, all_three)


def test_commas_separate_alternatives() -> None:
    text = "moth moths moth moths moth moths moth moths" + FILLER
    assert score("moths, butterflies, beetles", text) > 0.5 > score("moths butterflies beetles", text)


def test_keywords_are_alternatives_too() -> None:
    text = "moth moths moth moths moth moths moth moths" + FILLER
    assert score(Brief(keywords=("moths", "butterflies")), text) == score("moths, butterflies", text)


def test_a_mention_in_the_title_counts_more() -> None:
    text = "A butterfly." + FILLER
    plain = score("butterflies", text)
    assert score("butterflies", text, title="Butterflies") > 0.5 > plain
    assert score("butterflies", text, description="Butterflies") > plain


def test_more_mentions_are_needed_in_a_longer_page() -> None:
    assert score("butterflies", "butterfly " * 4 + FILLER) > score(
        "butterflies", "butterfly " * 4 + FILLER * 10
    )


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    topic = "swallowtail life"
    assert score(topic, "swallowtail " * 3) > score(topic, "life " * 3)


def test_every_mention_raises_the_score_and_none_reaches_one() -> None:
    scores = [score("butterflies", "butterfly " * count + FILLER) for count in (1, 2, 4, 8, 100)]
    assert scores == sorted(set(scores))
    assert scores[-1] < 1


def test_the_words_that_decided_come_first_and_make_up_the_score() -> None:
    judgement = Keywords("gardening that attracts butterflies").judge(page("butterfly butterflies garden"))
    assert [word for word, _ in judgement.why] == ["butterflies", "gardening"]
    assert sum(part for _, part in judgement.why) == pytest.approx(judgement.score)


def test_the_parts_make_up_the_score_with_alternatives_too() -> None:
    judgement = Keywords("machine learning, deep learning").judge(page("deep learning machine learning deep"))
    assert {word for word, _ in judgement.why} == {"machine", "learning", "deep"}
    assert sum(part for _, part in judgement.why) == pytest.approx(judgement.score)


@pytest.mark.parametrize(
    ("topic", "on_topic", "off_topic"),
    [
        (
            "Gärten für Schmetterlinge",
            "Im Garten lebt der Schmetterling. Schmetterlinge lieben Gärten.",
            "Das Wetter",
        ),
        ("Straßenbahn", "Die Straßenbahn fährt. Straßenbahnen und STRASSENBAHN.", "Das Wetter ist schön"),
        (
            "jardines de mariposas",
            "El jardín tiene mariposas. Una mariposa en el jardín.",
            "El tiempo es bueno",
        ),
        ("бабочки в саду", "Бабочки летают в саду. Сад для бабочек.", "Погода хорошая"),
        ("الفراشات", "الفراشة حشرة جميلة. تعيش الفراشات هنا. فراشات كثيرة", "الطقس جميل"),
        ("蝴蝶花园", "蝴蝶喜欢阳光充足的花园，花园里有许多蝴蝶。", "我今天去公园玩。"),
        ("蝴蝶園藝", "園藝愛好者種植蜜源植物，吸引蝴蝶。園藝與蝴蝶", "今天天氣很好"),
        ("蝶の庭", "庭に蝶が来る。蝶を呼ぶ庭づくり。", "今日は天気がいい"),
        ("나비 정원", "나비 정원은 나비를 위한 정원이다.", "오늘은 날씨가 좋다"),
        ("ผีเสื้อ", "สวนผีเสื้อ ผีเสื้อชอบดอกไม้", "วันนี้อากาศดี"),
    ],
)
def test_topics_may_be_said_in_many_languages(topic: str, on_topic: str, off_topic: str) -> None:
    judge = Keywords(topic)
    assert judge.judge(page(on_topic)).relevant
    assert judge.judge(page(off_topic)).score < 0.2
    on, off = judge.rate([on_topic, off_topic])
    assert on > 0.5 > off


def test_the_language_may_be_given() -> None:
    assert Keywords(Brief(text="chat", language="fr-CA")).language == "fr"
    assert Keywords("chat").language == "en"


def test_a_short_text_needs_less_than_a_page() -> None:
    judge = Keywords("butterflies")
    assert judge.rate(["our butterflies", "our trains"]) == [pytest.approx(0.68, abs=0.05), 0.0]


def test_a_short_text_with_more_of_the_topic_is_rated_higher() -> None:
    ratings = Keywords("gardening that attracts butterflies").rate(
        ["trains", "a garden", "butterflies", "butterflies in the garden", "gardens that attract butterflies"]
    )
    assert ratings == sorted(set(ratings))
    assert ratings[2] < 0.5 < ratings[3]


def test_a_topic_of_grammar_words_alone_is_taken_at_its_word() -> None:
    assert Keywords("it").rate(["it", "that"]) == [pytest.approx(0.68, abs=0.05), 0.0]


def test_the_topic_says_how_it_was_understood() -> None:
    topic = Keywords("gardening that attracts butterflies").topic()
    assert topic.keywords == ("butterflies", "gardening", "attracts")
    assert topic.description.startswith("words in en, heaviest first: butterflies 1.00, gardening 0.")
    assert topic.text == "gardening that attracts butterflies"


@pytest.mark.parametrize("nothing", ["", " ,;. ", "!!!"])
def test_a_topic_without_words_is_refused(nothing: str) -> None:
    with pytest.raises(UsageError, match="needs a topic"):
        Keywords(nothing)


def test_a_parameter_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match='judge "keywords": "coverage" must be from 0 to 1, not 3'):
        Keywords("butterflies", coverage=3)


@pytest.mark.skipif(not WIKISPEEDIA.exists(), reason="needs the recorded web wikispeedia beside the project")
def test_the_name_of_a_subject_tells_its_articles_from_others() -> None:
    """On a slice of real pages and four development topics; the bar for the whole is .80."""
    with lzma.open(WIKISPEEDIA / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        recorded = [json.loads(line) for line in islice(lines, 400)]
    articles = [
        (_without_subjects(read_html(each["url"], each["body"].encode()).text), set(each["labels"]))
        for each in recorded
        if each["kind"] == "article"
    ]
    areas = []
    for label in ("Biology.Birds", "Biology.Plants", "Biology.Mammals", "Chemistry.Chemical_elements"):
        judge = Keywords(label.rpartition(".")[2].replace("_", " "))
        scored = [
            (judge.judge(page(text)).score, f"subject.Science.{label}" in labels) for text, labels in articles
        ]
        areas.append(_area(scored))
    assert mean(areas) > 0.9


def _without_subjects(text: str) -> str:
    """The pages of this web name their own label in one line; no judge may read that."""
    return "\n".join(line for line in text.splitlines() if "Wikipedia Selection" not in line)


def _area(scored: list[tuple[float, bool]]) -> float:
    """The chance that a page on the topic scores higher than another (ROC-AUC)."""
    on = [score for score, right in scored if right]
    off = [score for score, right in scored if not right]
    return mean((one > other) + (one == other) / 2 for one in on for other in off)
