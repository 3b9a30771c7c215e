"""The configuration: what is read, what is refused and in which words, what is written."""

import tomllib
from datetime import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.config import Config, ConfigError, differences, looks_like_address, read_seed_file
from homing.config.toml import write_toml
from homing.errors import UsageError

EVERYTHING = """
[topic]
text = "butterfly gardening"
keywords = ["buddleia", "nectar plants"]
language = "EN"
examples = ["pages/moths.html", "https://a.example/moths"]
negatives = ["/tmp/others"]
codes = ["595.78", "635"]
model = "moths.model"

[seeds]
urls = ["https://a.example/", "https://b.example/start"]

[scope]
within = "domain"
include = ["*/garden/*"]
exclude = ["*/login*", "*?print=1"]
block = ["ads.example"]
max_depth = 7
pages_per_host = 100
pages_per_domain = 1000
language = "en"
follow_nofollow = false
avoid_traps = false
trust = ["big.example"]

[fetch]
concurrency = 8
user_agent = "plantbot/1"
contact = "me@example.org"
headers = { Accept-Language = "en", "X-Odd.Name" = "a \\"quoted\\" \\\\ value" }
headers_for = ["https://a.example", "HTTPS://b.example:443/login"]
proxy = "http://localhost:3128"
connect_to = "[::1]:8080"
allow_network = ["10.0.0.0/8", "::1"]
max_bytes = 2048
first_byte_seconds = 3
total_seconds = 4.5
min_bytes_per_second = 10
retries = 0
retry_base_seconds = 1.5
sitemaps = false
workers = 2

[pace]
delay = 0
pages_per_second = 2.5
bytes_per_second = 1000000
crawl_delay_cap = 30
retry_after_cap = 7200

[[pace.windows]]
from = "22:00"
to = 06:00:00
delay = 0.5
pages_per_second = 20

[judge]
name = "keywords"
relearn_every = 20
threshold = 0.6

[strategy]
name = "best_first"
random_seed = 7
model = "ways.model"
decay = 0.25
marks = ["a", "b"]

[store]
keep = "relevant"
warc_megabytes = 10
index = false

[refresh]
days = 30

[stop]
pages = 5000
minutes = 90.5
relevant = 400
yield_below = 2.5
"""


def refusal(tables: dict[str, dict[str, object]]) -> str:
    with pytest.raises(ConfigError) as caught:
        Config.of(tables)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_key_of_every_section_is_read(tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(EVERYTHING, encoding="utf-8")
    config = Config.load(path)
    assert config.topic.keywords == ("buddleia", "nectar plants")
    assert config.topic.language == "en"
    assert config.topic.examples == (str(tmp_path / "pages" / "moths.html"), "https://a.example/moths")
    assert config.topic.negatives == ("/tmp/others",)
    assert config.topic.model == str(tmp_path / "moths.model")
    assert config.fetch.headers["X-Odd.Name"] == 'a "quoted" \\ value'
    assert config.fetch.headers_for == ("https://a.example", "https://b.example")
    assert config.pace.windows[0].start == time(22)
    assert config.pace.windows[0].end == time(6)
    assert config.strategy.name == "best-first"
    assert config.strategy.parameters == {"decay": 0.25, "marks": ["a", "b"]}
    assert config.judge.parameters == {"threshold": 0.6}
    assert config.stop.minutes == 90.5
    for section in Config.model_fields:
        keys = set(type(getattr(config, section)).model_fields) - {"file"}
        assert getattr(config, section).model_fields_set >= keys, "this test must name every key there is"


def test_defaults_are_polite() -> None:
    config = Config()
    assert config.pace.delay == 1.0
    assert config.pace.crawl_delay_cap == 60
    assert config.fetch.concurrency == 64
    assert config.fetch.max_bytes == 10 * 1024 * 1024
    assert config.scope.within == "any"
    assert config.fetch.allow_network == ()


def test_what_is_written_reads_back_as_the_same_configuration() -> None:
    config = Config.of(tomllib.loads(EVERYTHING))
    assert Config.of(tomllib.loads(config.dump())) == config
    assert Config.of(tomllib.loads(Config().dump())) == Config()


def test_the_whole_configuration_is_written_with_its_defaults() -> None:
    written = tomllib.loads(Config().dump())
    assert set(written) == set(Config.model_fields)
    assert written["pace"]["retry_after_cap"] == 3600
    assert written["strategy"] == {"name": "adaptive", "model": "", "random_seed": 0}


PLAIN = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda items: st.lists(items, max_size=4) | st.dictionaries(st.text(), items, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), st.dictionaries(st.text(), PLAIN, max_size=4), max_size=3))
def test_any_table_written_as_toml_reads_back_equal(tables: dict[str, dict[str, object]]) -> None:
    assert tomllib.loads(write_toml(tables)) == tables


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        ("pace", "dealy", 1, '[pace] has no key "dealy"; did you mean "delay"?'),
        ("pace", "delay", -1, "[pace] delay must be at least 0, not -1"),
        ("pace", "delay", 1e99, "[pace] delay must be at most 86400, not 1e+99"),
        ("pace", "delay", float("nan"), "[pace] delay must be a finite number, not NaN"),
        ("pace", "delay", "fast", '[pace] delay must be a number, not "fast"'),
        ("pace", "delay", True, "[pace] delay must be a number, not true"),
        ("stop", "pages", 0, "[stop] pages must be at least 1, not 0"),
        ("stop", "pages", 10**20, "[stop] pages must be at most 1000000000, not 100000000000000000000"),
        ("stop", "pages", 1.5, "[stop] pages must be a whole number, not 1.5"),
        ("stop", "pages", "10", '[stop] pages must be a whole number, not "10"'),
        ("fetch", "concurrency", 5000, "[fetch] concurrency must be at most 4096, not 5000"),
        ("scope", "within", "hots", '[scope] within cannot be "hots"; did you mean "host"?'),
        ("scope", "within", 3, "[scope] within cannot be 3; there is: any, domain, host, prefix"),
        ("scope", "include", "*.html", '[scope] include must be a list, not "*.html"'),
        ("scope", "include", ["a", 3], "[scope] include (item 2) must be text, not 3"),
        ("fetch", "headers", {"A": 3}, "[fetch] headers.A must be text, not 3"),
        ("fetch", "headers", {"A b": "c"}, '[fetch] headers holds "A b", which is no header name'),
        ("judge", "name", 3, "[judge] name must be text, not 3"),
        (
            "strategy",
            "x",
            {"y": 1},
            "[strategy] x must be a text, a number, true or false, or a list of these",
        ),
        (
            "seeds",
            "urls",
            ["example.org"],
            '[seeds] urls "example.org": a seed must start with http:// or https://; did you mean https://example.org?',
        ),
        ("seeds", "urls", ["http://a b/"], '[seeds] urls "http://a b/" is no valid URL'),
    ],
)
def test_a_wrong_key_or_value_gets_one_line_that_says_where(
    section: str, key: str, value: object, message: str
) -> None:
    assert refusal({section: {key: value}}) == message


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("fetch", "connect_to", "localhost"),
        ("fetch", "connect_to", "localhost:70000"),
        ("fetch", "allow_network", ["10.0.0/8"]),
        ("fetch", "proxy", "localhost:3128"),
        ("fetch", "contact", "me"),
        ("fetch", "user_agent", "a\r\nHost: b"),
        ("fetch", "headers", {"A": "b\nC: d"}),
        ("topic", "language", "the english one"),
        ("pace", "windows", [{"from": "25:00", "to": "06:00"}]),
        ("pace", "windows", [{"from": "06:00", "to": "06:00"}]),
        ("pace", "windows", [{"from": "06:00"}]),
        ("strategy", "random_seed", -1),
        ("fetch", "max_bytes", 2**31),
    ],
)
def test_values_that_would_fail_later_are_refused_at_once(section: str, key: str, value: object) -> None:
    assert f"[{section}" in refusal({section: {key: value}})


def test_an_unknown_section_is_named_with_its_nearest() -> None:
    assert refusal({"pacee": {}}) == 'there is no section [pacee]; did you mean "pace"?'


def test_an_unknown_key_of_a_window_is_named_with_its_nearest() -> None:
    message = refusal({"pace": {"windows": [{"from": "22:00", "to": "23:00", "dealy": 1}]}})
    assert message == '[[pace.windows]] has no key "dealy"; did you mean "delay"?'


def test_a_value_in_place_of_a_section_is_refused() -> None:
    assert refusal({"pace": 3}) == "[pace] must be a table, not 3"  # type: ignore[dict-item]


def test_an_error_in_a_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[pace]\ndealy = 1\n")
    with pytest.raises(ConfigError, match=r"my\.toml: \[pace\] has no key"):
        Config.load(path)


@pytest.mark.parametrize("content", [b"[pace\n", b"delay 1", b"\xff\xfe", b"a = 1\na = 2"])
def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        Config.load(path)
    assert "my.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*No such file"):
        Config.load(tmp_path / "none.toml")
    with pytest.raises(UsageError, match=r"cannot read .*directory"):
        Config.load(tmp_path)


def test_overrides_replace_values_and_none_replaces_nothing() -> None:
    config = Config.of({"stop": {"pages": 5, "minutes": 1}})
    merged = config.merged({"stop": {"pages": 9, "minutes": None}, "pace": {"delay": None}})
    assert (merged.stop.pages, merged.stop.minutes) == (9, 1)
    assert merged.given() == {"stop": {"pages": 9, "minutes": 1.0}}


def test_another_strategy_does_not_inherit_parameters_but_keeps_the_random_seed() -> None:
    config = Config.of({"strategy": {"name": "best-first", "decay": 0.5, "random_seed": 3}})
    assert config.merged({"strategy": {"name": "random"}}).given()["strategy"] == {
        "name": "random",
        "random_seed": 3,
    }
    assert config.merged({"strategy": {"name": "best_first"}}).strategy.parameters == {"decay": 0.5}


def test_parameters_of_a_part_without_a_name_survive_naming_it() -> None:
    config = Config.of({"judge": {"threshold": 0.4}})
    assert config.merged({"judge": {"name": "keywords"}}).judge.parameters == {"threshold": 0.4}


def test_a_seed_file_is_read_beside_the_configuration_and_then_forgotten(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("\ufeffhttps://b.example/\n\n# a comment\n https://a.example/ \n")
    (tmp_path / "my.toml").write_text('[seeds]\nurls = ["https://a.example/"]\nfile = "seeds.txt"\n')
    config = Config.load(tmp_path / "my.toml")
    assert config.seeds.urls == ("https://a.example/", "https://b.example/")
    assert config.seeds.file == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"https://a.example/\nexample.org\n", r"line 2: .*did you mean https://example\.org\?"),
        (b"# nothing\n", "holds no URL"),
        (b"\xff\xff", "is not UTF-8"),
    ],
)
def test_a_bad_seed_file_is_refused_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "seeds.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_seed_file(path)


@pytest.mark.parametrize("text", ["example.org", "www.example.co.uk/a?b", "localhost", "10.0.0.1:80"])
def test_an_address_without_its_scheme_is_recognised(text: str) -> None:
    assert looks_like_address(text)


@pytest.mark.parametrize("text", ["node.js", "butterflies", "bees of example.org", "3.14", "e.g.", "", "a:b"])
def test_a_topic_with_a_dot_is_no_address(text: str) -> None:
    assert not looks_like_address(text)


def test_a_crawl_needs_a_topic_and_seeds() -> None:
    seeds, topic = {"urls": ["https://a.example/"]}, {"text": "bees"}
    with pytest.raises(UsageError, match=r"^no topic"):
        Config.of({"seeds": seeds}).check_complete()
    with pytest.raises(UsageError, match=r"^no seeds"):
        Config.of({"topic": topic}).check_complete()
    Config.of({"topic": {"keywords": ["bees"]}, "seeds": seeds}).check_complete()


@pytest.mark.parametrize(
    "topic",
    [
        {"text": "bees"},
        {"keywords": ["bees"]},
        {"examples": ["bees.html"]},
        {"examples": ["bees.html"], "negatives": ["wasps.html"], "text": "bees"},
        {"codes": ["595.799"]},
        {"model": "bees.model"},
        {"model": "bees.model", "text": "bees"},
    ],
)
def test_any_way_to_say_a_topic_is_enough(topic: dict[str, object]) -> None:
    Config.of({"topic": topic}).check_topic()


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"topic": {"text": " "}}, "no topic"),
        ({"topic": {"text": "bees", "negatives": ["a.html"]}}, "need positive ones"),
        ({"topic": {"model": "m", "codes": ["5"]}}, "leave out examples, keywords and codes"),
        ({"topic": {"model": "m"}, "judge": {"gamma": 1}}, "trained with: leave out gamma"),
    ],
)
def test_a_contradictory_topic_is_refused(tables: dict[str, dict[str, object]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Config.of(tables).check_topic()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("examples", [""], "[topic] examples must be a file, a folder or an http(s) URL, not an empty text"),
        ("negatives", ["ftp://a.example/"], '[topic] negatives "ftp://a.example/" is no valid http(s) URL'),
        ("codes", ["59 5"], '[topic] codes must be codes such as "140", not "59 5"'),
        ("codes", [595], "[topic] codes (item 1) must be text, not 595"),
    ],
)
def test_a_source_or_code_that_cannot_be_one_is_refused(key: str, value: object, message: str) -> None:
    assert refusal({"topic": {key: value}}) == message


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ({"text": " wild bees ", "examples": ["a.html"]}, "wild bees"),
        ({"keywords": ["bees", "wasps"]}, "bees wasps"),
        ({"examples": ["/home/me/bees/"]}, "like bees"),
        ({"examples": ["https://a.example/wild/bees.en.html?x=1"]}, "like bees"),
        ({"codes": ["595.7", "638"]}, "code 595.7 638"),
        ({"model": "/home/me/bees.model"}, "bees"),
    ],
)
def test_a_topic_is_named_after_what_was_given(topic: dict[str, object], title: str) -> None:
    assert Config.of({"topic": topic}).topic.title == title


def test_topic_judge_strategy_and_scope_may_not_change() -> None:
    old = Config.of({"topic": {"text": "bees"}, "strategy": {"name": "best-first"}})
    new = Config.of(
        {
            "topic": {"text": "wasps"},
            "judge": {"threshold": 0.4},
            "strategy": {"name": "random"},
            "scope": {"within": "host", "max_depth": 3},
        }
    )
    assert differences(old, new) == [
        'topic text ("bees" there, "wasps" given)',
        "judge threshold (none there, 0.4 given)",
        'strategy name ("best-first" there, "random" given)',
        "scope max_depth (none there, 3 given)",
        'scope within ("any" there, "host" given)',
    ]


def test_limits_pace_fetching_seeds_and_blocks_may_change() -> None:
    new = Config.of(
        {
            "seeds": {"urls": ["https://b.example/"]},
            "scope": {"block": ["ads.example"]},
            "fetch": {"workers": 2, "concurrency": 1},
            "pace": {"delay": 9},
            "stop": {"pages": 10},
            "store": {"warc_megabytes": 5},
        }
    )
    assert differences(Config(), new) == []


def test_a_configuration_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Config().pace.delay = 0.0
