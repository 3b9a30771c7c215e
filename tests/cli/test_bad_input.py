"""Bad input gets one clear line and exit code 2, and touches no data."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Homing = Callable[..., CompletedProcess[str]]

SEED = "https://seed.example/"


def refusal(homing: Homing, *arguments: object) -> str:
    """The one line a command says, without the name of the program in front."""
    before = sorted(Path().rglob("*"))
    done = homing(*arguments)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert sorted(Path().rglob("*")) == before, "a refused command must not touch the disk"
    assert done.stderr.startswith("homing: ")
    return done.stderr.removeprefix("homing: ").rstrip("\n")


def test_no_seeds(homing: Homing) -> None:
    assert refusal(homing, "crawl", "bees").startswith("no seeds")


def test_no_topic(homing: Homing) -> None:
    assert refusal(homing, "crawl", SEED).startswith("no topic")
    assert refusal(homing, "crawl", "", SEED).startswith("no topic")
    assert refusal(homing, "crawl").startswith("no topic")


@pytest.mark.parametrize("address", ["example.org", "www.example.co.uk/bees", "localhost:8000", "127.0.0.1"])
def test_a_seed_without_its_scheme(homing: Homing, address: str) -> None:
    message = refusal(homing, "crawl", "bees", address)
    assert f"a seed must start with http:// or https://; did you mean https://{address}?" in message


@pytest.mark.parametrize("url", ["ftp://example.org/", "http://", "https://a b/", "file:///etc/passwd"])
def test_a_seed_that_is_no_url(homing: Homing, url: str) -> None:
    assert f'"{url}"' in refusal(homing, "crawl", "bees", url)


def test_two_topics(homing: Homing) -> None:
    message = refusal(homing, "crawl", "wild", "bees", SEED)
    assert message.startswith('two topics, "wild" and "bees"')


def test_an_unknown_strategy_or_judge_names_the_nearest(homing: Homing) -> None:
    message = refusal(homing, "crawl", "bees", SEED, "--strategy", "best-frist")
    assert message == 'there is no strategy "best-frist"; did you mean "best-first"?'
    message = refusal(homing, "crawl", "bees", SEED, "--judge", "keyword")
    assert message == 'there is no judge "keyword"; did you mean "keywords"?'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("crawl", "bees", SEED, "--pagse", "3"), 'no such option: --pagse; did you mean "--pages"?'),
        (("--vresion",), 'no such option: --vresion; did you mean "--version"?'),
        (("crawll",), "no such command 'crawll'. Did you mean 'crawl'?"),
        (("report", "x", "--jsn"), 'no such option: --jsn; did you mean "--json"?'),
    ],
)
def test_an_unknown_option_or_command_names_the_nearest(
    homing: Homing, arguments: tuple[str, ...], message: str
) -> None:
    assert refusal(homing, *arguments) == message


def test_an_option_without_its_value(homing: Homing) -> None:
    assert "--pages" in refusal(homing, "crawl", "bees", SEED, "--pages")
    assert "DIR" in refusal(homing, "report")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--pages", "-5", "--pages must be at least 1, not -5"),
        ("--pages", "9" * 30, f"--pages must be at most 1000000000, not {'9' * 30}"),
        ("--pages", "many", '--pages must be a whole number, not "many"'),
        ("--pages", "1.5", "--pages must be a whole number, not 1.5"),
        ("--delay", "slow", '--delay must be a number, not "slow"'),
        ("--minutes", "0", "--minutes must be more than 0, not 0"),
        ("--minutes", "nan", "--minutes must be a finite number, not NaN"),
        ("--relevant", "-1", "--relevant must be at least 1, not -1"),
        ("--delay", "-0.5", "--delay must be at least 0, not -0.5"),
        ("--delay", "1e300", "--delay must be at most 86400, not 1e+300"),
        ("--delay", "inf", "--delay must be a finite number, not Infinity"),
        ("--concurrency", "0", "--concurrency must be at least 1, not 0"),
        ("--concurrency", "100000", "--concurrency must be at most 4096, not 100000"),
        ("--max-depth", "-1", "--max-depth must be at least 0, not -1"),
        ("--pages-per-host", "0", "--pages-per-host must be at least 1, not 0"),
        ("--workers", "-1", "--workers must be at least 0, not -1"),
        ("--bytes-per-second", "0", "--bytes-per-second must be at least 1, not 0"),
        ("--random-seed", "-7", "--random-seed must be at least 0, not -7"),
        ("--scope", "hots", '--scope cannot be "hots"; did you mean "host"?'),
        ("--connect-to", "here", '--connect-to must be HOST:PORT such as "127.0.0.1:8080", not "here"'),
        ("--header", "Accept", '--header must be NAME:VALUE, not "Accept"'),
        ("--header", "Ac cept: x", '--header holds "Ac cept", which is no header name'),
        ("--contact", "me", '--contact must be a mail address or an http(s) URL, not "me"'),
        ("--language", "english!", '--language must be a language code such as "en", not "english!"'),
        ("--set", "decay", '--set must be KEY=VALUE, not "decay"'),
    ],
)
def test_a_value_out_of_range_is_blamed_on_its_option(
    homing: Homing, option: str, value: str, message: str
) -> None:
    assert refusal(homing, "crawl", "bees", SEED, option, value) == message


def test_set_of_an_unknown_parameter_names_strategy_and_judge(homing: Homing) -> None:
    message = refusal(homing, "crawl", "bees", SEED, "--strategy", "best-first", "--set", "flatnes=3")
    assert message.startswith(
        '--set: neither strategy "best-first" nor judge "keywords" has a parameter "flatnes"'
    )


def test_a_seed_file_that_is_not_there(homing: Homing) -> None:
    assert "none.txt" in refusal(homing, "crawl", "bees", "--seed-file", "none.txt")


def test_a_seed_file_with_a_line_that_is_no_url(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("https://a.example/\nexample.org\n")
    message = refusal(homing, "crawl", "bees", "--seed-file", "seeds.txt")
    assert message.startswith("seeds.txt, line 2: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[pace]\ndealy = 1\n", 'my.toml: [pace] has no key "dealy"; did you mean "delay"?'),
        ("[strateegy]\n", 'my.toml: there is no section [strateegy]; did you mean "strategy"?'),
        ("[stop]\npages = -1\n", "my.toml: [stop] pages must be at least 1, not -1"),
        ("[stop]\npages = 'x'\n", 'my.toml: [stop] pages must be a whole number, not "x"'),
    ],
)
def test_a_wrong_key_or_value_in_the_configuration(
    homing: Homing, tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / "my.toml").write_text(content)
    assert refusal(homing, "crawl", "bees", SEED, "--config", "my.toml") == message


def test_a_configuration_that_is_no_toml_or_not_there(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[pace")
    assert "no valid TOML" in refusal(homing, "crawl", "bees", SEED, "--config", "my.toml")
    assert "none.toml" in refusal(homing, "crawl", "bees", SEED, "--config", "none.toml")


def test_a_stored_configuration_that_is_damaged(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "crawl.toml").write_text("[pace]\ndealy = 1\n")
    assert "old/crawl.toml: [pace]" in refusal(homing, "crawl", "--out", "old")
