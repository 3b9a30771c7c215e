"""``homing crawl`` as far as it goes without a server: into a folder, and to its last words."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Homing = Callable[..., CompletedProcess[str]]

# No packet is sent: the address guard refuses it.
PRIVATE = "http://127.0.0.1:9/"


def test_a_crawl_that_could_fetch_nothing_says_why_and_leaves_with_1(homing: Homing) -> None:
    done = homing("crawl", "wild bees", PRIVATE)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"homing: nothing could be fetched: {PRIVATE}: address")
    assert "--allow-network" in last
    assert done.stdout == ""


def test_json_is_one_document_with_the_figures_of_report(homing: Homing) -> None:
    done = homing("crawl", "wild bees", PRIVATE, "--json", "--quiet")
    figures = json.loads(done.stdout)
    assert figures["failed"] == {"address": 1}
    assert figures == json.loads(homing("report", "wild-bees", "--json").stdout)


def test_quiet_says_nothing_but_what_went_wrong(homing: Homing) -> None:
    done = homing("crawl", "wild bees", PRIVATE, "--quiet")
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_the_resolved_configuration_is_stored_and_enough_to_resume(homing: Homing) -> None:
    homing("crawl", "wild bees", PRIVATE, "--strategy", "best_first", "--pages", "3", "--out", "here")
    stored = tomllib.loads(Path("here/crawl.toml").read_text(encoding="utf-8"))
    assert stored["topic"]["text"] == "wild bees"
    assert stored["strategy"]["name"] == "best-first"
    again = homing("crawl", "--out", "here", "--pages", "5")
    assert "resuming here" in again.stderr
    assert tomllib.loads(Path("here/crawl.toml").read_text(encoding="utf-8"))["stop"]["pages"] == 5


def test_another_topic_in_the_same_folder_is_refused_and_nothing_changes(homing: Homing) -> None:
    homing("crawl", "wild bees", PRIVATE, "--out", "here", "--quiet")
    before = Path("here/crawl.toml").read_bytes()
    done = homing("crawl", "wasps", PRIVATE, "--out", "here", "--strategy", "random")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    for words in ('"wild bees"', '"wasps"', '"adaptive"', '"random"'):
        assert words in done.stderr
    assert Path("here/crawl.toml").read_bytes() == before
