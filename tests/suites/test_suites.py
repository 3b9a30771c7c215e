"""Suites of others, each with as many agreements and differences as its list says: neither more nor fewer."""

import time
from collections.abc import Callable

import pytest
from tests.suites import page, rules
from tests.suites.rfc9309 import StrictRules
from tests.suites.suite import DATA, Suite

from homing.fetch.robots import Rules

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the suites of others are not on this machine")


@needs_data
@pytest.mark.parametrize("suite", page.SUITES, ids=lambda suite: suite.name)
def test_a_suite_agrees_with_us_but_for_what_we_accept(suite: Suite) -> None:
    assert suite.measured() == suite.expected()


def test_the_page_on_reliability_says_what_the_tests_say() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.text(), "run: python -m tests.suites"


@pytest.fixture(scope="module")
def real_files() -> dict[str, str]:
    if not DATA.is_dir():
        pytest.skip("the suites of others are not on this machine")
    return rules.real_files(DATA / "real-robots-txt/robots-protego-4231.tar.xz")


def test_every_real_robots_txt_is_read(real_files: dict[str, str]) -> None:
    assert len(real_files) == 4_231
    for name, text in real_files.items():
        said = Rules(text, "homing")
        assert said.allows(f"http://{name}/") in (True, False)
        assert said.delay is None or said.delay >= 0
        assert all(url.startswith(("http://", "https://")) for url in said.sitemaps(f"http://{name}"))


def test_no_real_robots_txt_takes_long(real_files: dict[str, str]) -> None:
    """As a ratio: the plainest reader there can be does the same work on the same machine."""

    def ours(text: str) -> bool:
        return Rules(text, "homing").allows("http://example.org/moths")

    def plain(text: str) -> bool:
        return StrictRules(text, "homing").allows("/moths")

    for text in sorted(real_files.values(), key=len)[-8:]:
        assert _seconds(ours, text) < 20 * _seconds(plain, text), text[:200]


def _seconds(work: Callable[[str], object], text: str) -> float:
    """CPU time, the least of several: the machine may be busy."""
    times = []
    for _ in range(3):
        before = time.process_time()
        work(text)
        times.append(time.process_time() - before)
    return min(times)
