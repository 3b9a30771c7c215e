"""Foreign data is read and unpacked up to a limit: ``bounded``."""

import gzip
import lzma
import resource
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
import zstandard

from homing.bounded import TooLargeError, Unzstd, allowance, inflate, lines_of, read_at_most

MB = 1024 * 1024

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "xz": lambda data: lzma.compress(data, preset=1),
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.mark.parametrize("pack", [*PACK.values(), bytes], ids=[*PACK, "nothing"])
def test_lines_are_those_that_were_packed(pack: Callable[[bytes], bytes]) -> None:
    lines = [b"moth %d\n" % number * 40 for number in range(5_000)]
    lines = b"".join(lines).splitlines(keepends=True)
    assert [*lines_of(BytesIO(pack(b"".join(lines))), longest=100, freely=16 * MB)] == lines


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_several_packed_parts_are_one_file(pack: Callable[[bytes], bytes]) -> None:
    parts = BytesIO(pack(b"moths\nbe") + pack(b"") + pack(b"es\n"))
    assert [*lines_of(parts, longest=100, freely=MB)] == [b"moths\n", b"bees\n"]


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
@pytest.mark.parametrize("line", [b"\n", b"moth" * 16 + b"\n"], ids=["empty", "short"])
def test_a_file_that_unpacks_without_end_is_refused(pack: Callable[[bytes], bytes], line: bytes) -> None:
    bomb = BytesIO(pack(line * (64 * MB // len(line))))
    with pytest.raises(TooLargeError, match="it unpacks to more than"):
        for _ in lines_of(bomb, longest=MB, freely=2 * MB):
            pass


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_line_without_end_is_refused_before_it_fills_the_memory(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(bytes(200 * MB))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TooLargeError, match="a line of it is longer than 1 MB"):
        next(lines_of(BytesIO(bomb), longest=MB, freely=1024 * MB))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


def test_a_line_that_is_not_packed_is_bounded_as_well() -> None:
    with pytest.raises(TooLargeError):
        next(lines_of(BytesIO(b"x" * 1001), longest=1000, freely=MB))


@pytest.mark.parametrize("pack", [PACK["gzip"], PACK["xz"]], ids=["gzip", "xz"])
def test_damage_is_a_value_error(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(bytes(range(256)) * 100)
    for broken in (packed[:-9], packed[:30] + b"?" * 30 + packed[60:]):
        with pytest.raises(ValueError, match=r"."):
            [*lines_of(BytesIO(broken), longest=MB, freely=MB)]


def test_zlib_is_unpacked_up_to_a_limit() -> None:
    packed = zlib.compress(bytes(MB))
    assert inflate(packed, most=MB) == bytes(MB)
    with pytest.raises(TooLargeError, match="more than 1,048,575 bytes"):
        inflate(packed, most=MB - 1)
    for broken in (packed[:-1], b"moths", b""):
        with pytest.raises(ValueError, match="cannot be unpacked"):
            inflate(broken, most=MB)


def test_a_frame_of_zstd_is_unpacked_up_to_a_limit() -> None:
    unzstd, pack = Unzstd(), zstandard.ZstdCompressor(write_content_size=False).compress
    assert unzstd(PACK["zstd"](bytes(MB)), most=MB) == bytes(MB)
    assert unzstd(pack(bytes(MB)), most=MB) == bytes(MB)
    with pytest.raises(TooLargeError):
        unzstd(PACK["zstd"](bytes(MB)), most=MB - 1)
    for broken in (pack(bytes(MB)), b"moths", b""):
        with pytest.raises(ValueError, match="cannot be unpacked"):
            unzstd(broken, most=MB - 1)


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"moths")
    assert read_at_most(path, 5) == b"moths"
    for endless in (path, Path("/dev/zero")):
        with pytest.raises(TooLargeError, match="it is larger than 4 bytes"):
            read_at_most(endless, 4)


def test_the_ratio_counts_only_from_a_size_on() -> None:
    assert allowance(1, freely=1000) == 1000
    assert allowance(1000, freely=1000) == 250_000
