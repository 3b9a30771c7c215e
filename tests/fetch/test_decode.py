import gc
import gzip
import random
import subprocess
import sys
import weakref
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from homing.fetch.body import Body, gunzip
from homing.fetch.settings import Caps

SUITE = Path(__file__).parents[3] / "shared/data/suites/scrapy-compressed"
needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason="the suite scrapy-compressed is not at hand")

MIB = 1024 * 1024
PAGE = b"<p>Swallowtails drink from butterfly weed.</p>\n" * 2_000


def _raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data, wbits=-15)


def _brotli(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=4))


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


ENCODERS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", _raw_deflate),
    ("br", _brotli),
    ("zstd", _zstd),
]


def decode(encoding: str, data: bytes, caps: Caps | None = None, step: int = 65_536) -> Body:
    body = Body(encoding, caps or Caps())
    for start in range(0, len(data), step):
        if not body.feed(data[start : start + step]):
            break
    return body


@pytest.mark.parametrize(("encoding", "encode"), ENCODERS)
@given(data=st.binary(max_size=300), repeat=st.integers(1, 400), step=st.integers(1, 5_000))
def test_what_was_encoded_comes_back_however_it_arrives(
    encoding: str, encode: Callable[[bytes], bytes], data: bytes, repeat: int, step: int
) -> None:
    body = decode(encoding, encode(data * repeat), step=step)
    assert body.take() == data * repeat
    assert body.truncated == ""


@given(layers=st.lists(st.sampled_from(ENCODERS), max_size=5))
def test_nested_encodings_are_undone_last_one_first(
    layers: list[tuple[str, Callable[[bytes], bytes]]],
) -> None:
    data = PAGE
    for _, encode in layers:
        data = encode(data)
    body = decode(", ".join(encoding for encoding, _ in layers), data)
    assert body.take() == PAGE


@pytest.mark.parametrize(
    "encoding", ["", "identity", "utf-8", "none", ", ,", "gzip, unheard-of", ",".join(["gzip"] * 6)]
)
def test_bodies_with_no_encoding_we_know_stay_as_they_are(encoding: str) -> None:
    assert decode(encoding, PAGE).take() == PAGE


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_was_never_encoded_is_taken_as_it_is(encoding: str) -> None:
    body = decode(encoding, PAGE)
    assert body.take() == PAGE
    assert body.truncated == ""


@pytest.mark.parametrize(("encoding", "encode"), [("", bytes), *ENCODERS])
def test_the_cap_on_size_is_exact(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    data = encode(PAGE)
    exact = decode(encoding, data, Caps(max_bytes=len(PAGE)))
    assert (exact.take(), exact.truncated) == (PAGE, "")
    short = decode(encoding, data, Caps(max_bytes=len(PAGE) - 1))
    assert (short.take(), short.truncated) == (PAGE[:-1], "length")


@pytest.mark.parametrize(("encoding", "encode"), ENCODERS)
def test_what_grows_too_fast_is_a_bomb(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    body = decode(encoding, encode(bytes(8 * MIB)), Caps(max_ratio=100))
    assert body.truncated == "length"
    assert len(body.take()) < 2 * MIB


def test_a_ratio_does_not_count_against_small_bodies() -> None:
    body = decode("gzip", gzip.compress(bytes(MIB)), Caps(max_ratio=2))
    assert (len(body.take()), body.truncated) == (MIB, "")


def test_gzip_members_are_read_one_after_the_other() -> None:
    body = decode("gzip", gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two"), step=3)
    assert body.take() == b"one two"


def test_a_hundred_thousand_empty_members_are_cut_off() -> None:
    body = decode("gzip", gzip.compress(b"page") + gzip.compress(b"") * 100_000)
    assert (body.take(), body.truncated) == (b"page", "length")
    assert body.received <= 65_536


@pytest.mark.parametrize("step", [1, 100, 65_536, len(gzip.compress(PAGE))])
def test_padding_after_the_last_member_does_no_harm(step: int) -> None:
    body = decode("gzip", gzip.compress(PAGE) + bytes(512), step=step)
    assert (body.take(), body.truncated) == (PAGE, "")


def test_encoded_bytes_that_never_decode_to_anything_do_not_come_forever() -> None:
    skippable = b"\x50\x2a\x4d\x18" + (65_528).to_bytes(4, "little") + bytes(65_528)
    body = decode("zstd", skippable * 100, Caps(max_bytes=MIB))
    assert body.truncated == "length"
    assert body.received < 2 * MIB


@pytest.mark.parametrize(("encoding", "encode"), ENCODERS)
def test_of_a_stream_that_breaks_we_keep_what_came_before(
    encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    noise = random.Random(1).randbytes(MIB)
    whole = encode(noise)
    body = decode(encoding, whole[: len(whole) // 2] + b"\xff\x00\xff" * 100_000, step=10_000)
    assert body.take()[: MIB // 4] == noise[: MIB // 4]


@pytest.mark.parametrize(("encoding", "encode"), ENCODERS)
def test_of_a_stream_that_stops_we_keep_what_came(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    whole = encode(bytes(range(256)) * 4_000)
    body = decode(encoding, whole[:-5])
    assert (bytes(range(256)) * 4_000).startswith(body.take())


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate"]), st.binary(max_size=2_000)
)
def test_no_bytes_make_us_stumble(encoding: str, junk: bytes) -> None:
    decode(encoding, junk, step=100)
    decode(encoding, gzip.compress(PAGE)[:50] + junk, step=100)


@pytest.mark.parametrize("max_bytes", [10, MIB])
@pytest.mark.parametrize(("encoding", "encode"), [("", bytes), *ENCODERS])
def test_a_body_is_freed_without_the_garbage_collector(
    encoding: str, encode: Callable[[bytes], bytes], max_bytes: int
) -> None:
    body = decode(encoding, encode(PAGE), Caps(max_bytes=max_bytes))
    freed = weakref.ref(body)
    gc.disable()
    try:
        del body
        assert freed() is None
    finally:
        gc.enable()


def test_a_sitemap_is_unpacked_under_the_same_caps() -> None:
    assert gunzip(gzip.compress(PAGE), Caps()) == (PAGE, "")
    assert gunzip(gzip.compress(PAGE), Caps(max_bytes=10)) == (PAGE[:10], "length")
    assert gunzip(gzip.compress(PAGE)[:-200], Caps())[0] in PAGE


@needs_suite
def test_a_gzip_file_that_ends_early_gives_its_beginning() -> None:
    body = decode("gzip", (SUITE / "unexpected-eof.gz").read_bytes())
    assert body.take().decode("latin-1") == (SUITE / "unexpected-eof-output.txt").read_text("utf-8")


_BOMBS = """
import gc, re, sys
from pathlib import Path
from homing.fetch.body import Body
from homing.fetch.settings import Caps

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

gc.disable()
before = peak()
for name, encoding in [("gzip", "gzip"), ("deflate", "deflate"), ("br", "br"), ("zstd", "zstd")]:
    for ratio in (250, 10**9):
        body = Body(encoding, Caps(max_ratio=ratio))
        bomb = (Path(sys.argv[1]) / f"bomb-{name}.bin").read_bytes()
        body.feed(bomb)
        assert body.truncated == "length", (name, ratio)
        size = len(body.take())
        assert size <= min(10 * 2**20, max(2**20, ratio * len(bomb)) + 2**16), (name, ratio, size)
print(peak() - before)
"""


@needs_suite
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_bombs_are_cut_off_and_cost_little_memory() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _BOMBS, str(SUITE)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < 50 * 1024
