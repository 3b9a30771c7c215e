"""The form of a new crawl as a configuration; what it refuses is in ``tests/serve/pages/test_start.py``."""

from __future__ import annotations

from homing.config import Config
from homing.serve.crawl.new_crawl import NewCrawl, judges, strategies

SEED = "https://a.example/"
BASE = Config.of(
    {
        "topic": {"text": "bees"},
        "seeds": {"urls": ["https://bees.example/"]},
        "fetch": {"user_agent": "tester", "contact": "me@example.org"},
        "pace": {"delay": 7.0},
    }
)


def test_requests_are_those_of_the_crawl_served_and_nothing_else() -> None:
    config = NewCrawl(topic="moths", seeds=SEED, contact="you@example.org").config(BASE, [])
    assert (config.fetch.user_agent, config.fetch.contact) == ("tester", "you@example.org")
    assert config.topic.text == "moths"
    assert config.seeds.urls == (SEED,)
    assert config.pace.delay == 1.0


def test_empty_fields_leave_the_defaults() -> None:
    config = NewCrawl(topic="moths", seeds=SEED, pages="", delay="", strategy="").config(Config(), [])
    default = Config()
    assert config.stop == default.stop
    assert config.pace == default.pace
    assert config.strategy == default.strategy


def test_labelled_pages_can_be_seeds_as_well() -> None:
    more = ["https://b.example/"]
    config = NewCrawl(topic="moths", seeds=SEED).config(Config(), more)
    assert config.seeds.urls == (SEED, *more)


def test_the_form_offers_what_the_commands_list() -> None:
    assert "adaptive" in {each["name"] for each in strategies()}
    assert "keywords" in {each["name"] for each in judges()}
