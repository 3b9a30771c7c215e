"""Pages that repeat and nest without reason: read in time, and with the links that a plain parser finds."""

from __future__ import annotations

import time

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.targets import DRESSES, URL, read_page

from homing.parse.charset import decode, encoding_of
from homing.parse.links import links_of
from homing.parse.nesting_guard import _Rewrite, simplify
from homing.parse.tree import outline
from homing.text.encodings import codec_of

SECONDS = 2.0
"""Of one worker, for any page that is as large as ours are here."""
TAGS = (
    "<p>", "</p>", "<div>", "</div>", "<a href=/x>", "</a>", "<b>", "</b>", "<i>", "<font size=1>",
    "<table>", "<td>", "<tr>", "</table>", "<ul>", "<li>", "</ul>", "<select>", "<option>", "<svg>",
    "<math>", "<title>", "</title>", "<h1>", "<button>", "<form>", "<template>", "<textarea>", "<!--", "-->",
    "<script>", "</script>", "<style>", "<plaintext>", "<img alt=", '"', "'", ">", "<", "</", "&amp;", "&#",
    "word ", "\0", "<a href='", "<meta charset=", "<base href=", "<iframe src=/y>", "<frameset>",
    "<noscript>", "<![CDATA[",
)  # fmt: skip
RUNS = st.lists(
    st.tuples(st.lists(st.sampled_from(TAGS), min_size=1, max_size=3).map("".join), st.integers(1, 20_000)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=40)
@given(RUNS, st.integers(0, len(DRESSES) - 1))
@example([("<b>", 4_000), ("<div>", 4_000)], 0)
def test_no_page_of_runs_takes_longer_than_it_may(runs: list[tuple[str, int]], dress: int) -> None:
    body = "".join(piece * count for piece, count in runs)[:250_000]
    began = time.process_time()
    read_page(bytes([dress]) + body.encode())
    assert time.process_time() - began < SECONDS


SAFE = (
    "<p>", "</p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<b>", "</b>", "<h2>", "</h2>", "<br>",
    "<img alt=x>", "words ", "&amp;", "<!-- <a href=/no> -->", "<script>'<a href=/no>'</script>", "<td>",
    "<style></style>", "<a href='/q?a=1>2'>", "<a href=/x>", '<a href="/y" rel=next>', "</a>", "<a name=z>",
    "<area href=/z>", "<a/href=/w>", "<A HREF = /v >", "<a href=/first href=/no>", "< a href=/no>",
    "<title>a</title>", "<span>", "</span>", "<form>", "<!doctype html>", "<? x >", "</ x>",
    "<textarea></textarea>",
)  # fmt: skip


@settings(max_examples=80)
@given(st.lists(st.sampled_from(SAFE), max_size=25).map("".join))
def test_a_page_that_is_written_rewritten_has_the_same_links(html: str) -> None:
    """What the nesting guard makes of hostile pages, here of pages that lexbor itself can be asked about."""
    rewritten = {link.url for link in links_of(outline(_Rewrite().of(html)), URL)}
    assert rewritten == {link.url for link in links_of(outline(html), URL)}


@settings(max_examples=30)
@given(RUNS)
def test_what_is_tame_is_not_tamed_again_into_something_larger(runs: list[tuple[str, int]]) -> None:
    once = simplify("".join(piece * count for piece, count in runs)[:100_000])
    assert len(simplify(once)) <= len(once) + 1


@given(st.text(max_size=20), st.binary(max_size=60))
def test_whatever_a_charset_is_called_bytes_become_text(label: str, body: bytes) -> None:
    codec = codec_of(label)
    assert codec is None or b"".decode(codec) == ""
    for content_type in (f"text/html; charset={label}", f'text/html; Charset = "{label}'):
        decode(body, content_type).encode()
        assert b"".decode(encoding_of(body, content_type)) == ""
