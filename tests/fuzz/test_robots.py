"""robots.txt as a grammar: how it is written does not matter, and no pattern takes long."""

from __future__ import annotations

import time

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homing.fetch.robots import MAX_SITEMAPS, Rules
from homing.fetch.robots_text import MAX_BYTES, read

SITE = "http://a.example"
PATHS = st.lists(
    st.sampled_from(["/", "a", "b", "*", "$", "?", "%2F", "%7e", "~", ".", "é", " "]), max_size=7
).map(lambda pieces: "/" + "".join(pieces))
LINES = st.one_of(
    st.tuples(st.sampled_from(["Disallow: ", "Allow: "]), PATHS).map("".join),
    st.sampled_from(
        ["User-agent: *", "User-agent: homing", "User-agent: other", "Crawl-delay: 3", "", "# note"]
    ),
    st.sampled_from(["Sitemap: /map.xml", "Sitemap: http://b.example/x y", "Disallow", ": /", "Host: a"]),
)
TEXTS = st.lists(LINES, max_size=12)


def said(text: str, paths: list[str]) -> tuple[list[bool], float | None, tuple[str, ...]]:
    rules = Rules(text, "homing")
    return [rules.allows(SITE + path) for path in paths], rules.delay, rules.sitemaps(SITE)


@settings(max_examples=50)
@given(TEXTS, st.lists(PATHS, min_size=1, max_size=4), st.sampled_from(["\r", "\r\n", "\n\n", " \n", "#x\n"]))
def test_line_ends_marks_and_case_change_nothing(lines: list[str], paths: list[str], end: str) -> None:
    plain = said("\n".join(lines), paths)
    if "#" not in end or not any(line.startswith("Sitemap") for line in lines):
        assert said(end.join(lines), paths) == plain
    assert said(read(b"\xef\xbb\xbf" + "\n".join(lines).encode()), paths) == plain
    louder = [line.partition(":")[0].upper() + line[len(line.partition(":")[0]) :] for line in lines]
    assert said("\n".join(louder), paths) == plain


@settings(max_examples=50)
@given(TEXTS, st.lists(PATHS, min_size=1, max_size=4))
def test_a_group_for_someone_else_changes_nothing(lines: list[str], paths: list[str]) -> None:
    ours = ["User-agent: homing", "Disallow: /b", *lines]
    others = ["User-agent: someone-else", "Disallow: /", "Crawl-delay: 50"]
    assert said("\n".join([*others, *ours]), paths) == said("\n".join(ours), paths)


@settings(max_examples=20)
@given(PATHS, st.sampled_from(["*a", "*a*", "**", "*/*a", "a*b", "?*=*&"]), st.integers(1, 2_000))
@example("/", "*a", 2_000)
def test_no_pattern_takes_long(path: str, piece: str, count: int) -> None:
    pattern = f"Disallow: {path}{piece * count}$\n"
    text = "User-agent: *\n" + pattern * max(1, min(50, 20_000 // len(pattern)))
    began = time.process_time()
    rules = Rules(text, "homing")
    rules.allows(SITE + "/" + "a" * 1_900)
    rules.allows(SITE + "/" + "a/b" * 600 + "?a=b&" * 20)
    assert time.process_time() - began < 1.0


@settings(max_examples=10)
@given(st.lists(LINES, min_size=1, max_size=6), st.integers(1, 40_000))
def test_a_long_file_is_read_in_time_and_its_sitemaps_are_few(lines: list[str], times: int) -> None:
    body = "".join(f"{line}\n" for line in lines).encode() * times
    began = time.process_time()
    rules = Rules(read(body[: 4 * MAX_BYTES]), "homing")
    assert len(rules.sitemaps(SITE)) <= MAX_SITEMAPS
    rules.allows(SITE + "/a/b")
    assert time.process_time() - began < 3.0
