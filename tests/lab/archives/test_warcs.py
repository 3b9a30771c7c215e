"""Records of WARC files, however packed and however damaged."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.lab.warcfiles import gzipped, pages, response, warc_record, zstd, zstd_with_dictionary

from homing.lab.archives import unpacking, warcs
from homing.lab.archives.warcs import WarcRecord, read_warc

Troubles = list[tuple[int, str]]
PACKED: dict[str, Callable[[list[bytes]], bytes]] = {
    "plain": b"".join,
    "gzip by record": lambda records: b"".join(gzipped(records)),
    "gzip as a whole": lambda records: gzip.compress(b"".join(records)),
    "zstd by record": lambda records: b"".join(map(zstd, records)),
    "zstd as a whole": lambda records: zstd(b"".join(records)),
    "zstd with a dictionary": zstd_with_dictionary,
}


def read(path: Path, data: bytes) -> tuple[list[WarcRecord], Troubles]:
    path.write_bytes(data)
    troubles: Troubles = []
    return list(read_warc(path, lambda place, what: troubles.append((place, what)))), troubles


def numbers(records: list[WarcRecord]) -> str:
    """The last letters of their URLs."""
    return "".join(record.url[-1] for record in records)


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED.keys())
def test_records_come_in_order_however_they_are_packed(
    tmp_path: Path, packed: Callable[[list[bytes]], bytes]
) -> None:
    written = [warc_record("warcinfo", "", b"software: x"), *pages(5)]
    records, troubles = read(tmp_path / "a.warc", packed(written))
    assert [record.kind for record in records] == ["warcinfo", *["response"] * 5]
    assert numbers(records[1:]) == "01234"
    assert all(raw.endswith(each.block + b"\r\n\r\n") for raw, each in zip(written, records, strict=True))
    assert troubles == []


def test_a_record_knows_where_it_begins(tmp_path: Path) -> None:
    plain, packed = pages(4), gzipped(pages(4))
    for each in (plain, packed):
        records, _ = read(tmp_path / "a.warc", b"".join(each))
        assert [record.offset for record in records] == [len(b"".join(each[:place])) for place in range(4)]


def test_names_of_fields_come_in_any_case_and_values_over_several_lines(tmp_path: Path) -> None:
    data = b"WARC/1.1\ncontent-LENGTH: 2\nWarc-Type: Response\nX-Long: one\n two\nno colon\n\nok\n\n"
    [record], troubles = read(tmp_path / "a.warc", data)
    assert (record.kind, record["x-long"], record["missing"]) == ("response", "one two", "")
    assert (record.block, troubles) == (b"ok", [])


@pytest.mark.parametrize("packed", ["gzip by record", "zstd by record"])
def test_what_is_before_and_behind_a_damaged_member_is_kept(tmp_path: Path, packed: str) -> None:
    members = [PACKED[packed]([record]) for record in pages(6)]
    middle = len(members[2]) // 2
    members[2] = members[2][:middle] + bytes(32) + members[2][middle + 32 :]
    records, troubles = read(tmp_path / "a.warc", b"".join(members))
    assert numbers(records) == "01345"
    [(place, what)] = troubles
    assert place == len(b"".join(members[:2]))
    assert "damaged" in what


def test_a_body_that_is_packed_itself_is_not_taken_for_a_record(tmp_path: Path) -> None:
    members = gzipped(pages(3))
    inner = gzip.compress(b"<p>WARC/1.0 is a format</p>")
    members[1] = b"\x1f\x8b\x08\x00 broken from the start " + inner
    records, troubles = read(tmp_path / "a.warc", b"".join(members))
    assert (numbers(records), len(troubles)) == ("02", 1)


def test_a_file_that_is_cut_off_keeps_what_was_whole(tmp_path: Path) -> None:
    for packed in PACKED.values():
        records, troubles = read(tmp_path / "a.warc", packed(pages(5))[:-300])
        assert numbers(records) in ("0123", "012", ""), "a block of zstd comes whole or not at all"
        assert len(troubles) == 1
    assert numbers(read(tmp_path / "a.warc", PACKED["gzip as a whole"](pages(5))[:-300])[0]) == "0123"


def test_junk_between_records_is_told_and_padding_is_not(tmp_path: Path) -> None:
    first, second = pages(2)
    for junk, told in ((b"junk\nmore junk\n", 1), (bytes(512), 0), (b"\r\n\r\n\r\n", 0)):
        records, troubles = read(tmp_path / "a.warc", first + junk + second)
        assert (numbers(records), len(troubles)) == ("01", told)
        first_gz, second_gz = gzipped([first, second])
        records, troubles = read(tmp_path / "a.warc.gz", first_gz + junk + second_gz)
        assert (numbers(records), len(troubles)) == ("01", told)
    _, troubles = read(tmp_path / "a.warc", first + b"junk\n" + second)
    assert troubles == [(len(first), "4 bytes that belong to no record were left out")]


def test_a_record_that_says_it_is_longer_does_not_swallow_the_next(tmp_path: Path) -> None:
    first, _, third = pages(3)
    url = "http://a.example/1"
    too_long = warc_record("response", url, b"HTTP/1.1 200 OK\r\n\r\nhalf", length=900)
    records, troubles = read(tmp_path / "a.warc", first + too_long + third)
    assert numbers(records) == "02"
    assert troubles == [(len(first), "a record that is cut short was left out")]
    far_too_long = warc_record("response", url, b"HTTP/1.1 200 OK\r\n\r\nhalf", length=10_000_000)
    assert numbers(read(tmp_path / "a.warc", first + far_too_long + third)[0]) == "02"


def test_a_record_that_says_it_is_a_little_shorter_is_kept(tmp_path: Path) -> None:
    first, _, third = pages(3)
    short = warc_record("response", "http://a.example/1", b"HTTP/1.1 200 OK\r\n\r\nwhole", length=20)
    records, troubles = read(tmp_path / "a.warc", first + short + third)
    assert numbers(records) == "012"
    assert [what for _, what in troubles] == ["7 bytes that belong to no record were left out"]


@pytest.mark.parametrize("length", ["", "many", "-5"])
def test_a_record_of_unknown_length_is_left_out(tmp_path: Path, length: str) -> None:
    first, second = pages(2)
    unknown = f"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n".encode()
    records, troubles = read(tmp_path / "a.warc", first + unknown + second)
    assert numbers(records) == "01"
    assert troubles == [(len(first), "a record that does not say how long it is was left out")]


def test_a_head_without_an_end_does_not_hide_the_records_behind_it(tmp_path: Path) -> None:
    first, second = pages(2)
    endless = b"WARC/1.0\r\n" + b"WARC-Filler: x\r\n" * 10_000
    records, troubles = read(tmp_path / "a.warc", first + endless + second)
    assert numbers(records) == "01"
    assert troubles


def test_of_a_very_long_record_the_beginning_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warcs, "_LONGEST_BLOCK", 5_000)
    long = response("http://a.example/0", b"x" * 3_000_000)
    for packed in PACKED.values():
        records, troubles = read(tmp_path / "a.warc", packed([long, pages(2)[1]]))
        assert (len(records[0].block), records[0].is_whole) == (5_000, False)
        assert (numbers(records), troubles) == ("01", [])


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED.keys())
def test_whatever_is_damaged_reading_comes_to_an_end(
    tmp_path: Path, packed: Callable[[list[bytes]], bytes]
) -> None:
    whole = packed(pages(4))
    for seed in range(40):
        random = Random(seed)
        data = bytearray(whole)
        for _ in range(random.randint(1, 5)):
            start = random.randrange(len(data))
            data[start : start + random.randint(0, 50)] = random.randbytes(random.randint(0, 50))
        records, _ = read(tmp_path / "a.warc", bytes(data))
        assert len(records) <= 4


def test_a_file_that_unpacks_without_end_is_read_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "FREELY", 4 * 1024 * 1024)
    endless = response("http://a.example/9", bytes(64 * 1024 * 1024))
    for pack in (gzip.compress, zstd):
        records, troubles = read(tmp_path / "a.warc", b"".join(map(pack, [*pages(3), endless])))
        assert numbers(records) == "012"
        assert "the rest was left out: the file unpacks to more than" in troubles[0][1]


def test_a_dictionary_without_end_is_refused(tmp_path: Path) -> None:
    bomb = zstd(bytes(20 * 1024 * 1024))
    for size in (len(bomb), 2**32 - 1):
        head = b"\x5d\x2a\x4d\x18" + size.to_bytes(4, "little")
        records, troubles = read(tmp_path / "a.warc.zst", head + bomb + zstd(pages(1)[0]))
        assert not records
        assert "more than 16 MB" in troubles[0][1] or "larger than 16 MB" in troubles[0][1]
