"""Pages in files, one JSON object a line."""

import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from homing.errors import UsageError
from homing.model import Reply
from homing.parse import PageParser
from homing.records import Record, read_records, write_records

HERE = "https://a.example/"
SHARED = Path(__file__).parents[2] / "shared" / "data" / "webs"


def record(body: bytes, content_type: str = "text/html; charset=utf-8", *labels: str) -> Record:
    headers = (("Content-Type", content_type),)
    return Record(
        reply=Reply(url=HERE, final_url=HERE, status=200, headers=headers, body=body), labels=labels
    )


def lines(path: Path, *fields: dict[str, object] | str) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in fields]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_a_record_has_a_page_and_labels(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        {
            "url": HERE,
            "status": 203,
            "content_type": "text/html",
            "charset": "latin-1",
            "body": "<title>Käfer</title>",
            "labels": ["animals.insects", "a"],
            "id": 7,
        },
    )
    [found] = read_records(path)
    assert (found.reply.url, found.reply.status, found.labels) == (HERE, 203, ("animals.insects", "a"))
    assert found.reply.body == "<title>Käfer</title>".encode("latin-1")
    assert PageParser().read(found.reply).title == "Käfer"


def test_a_label_counts_for_those_above_it_but_not_for_words_that_begin_alike() -> None:
    moth = record(b"", "", "animals.insects.moths")
    assert [moth.is_labelled(name) for name in ("animals", "animals.insects", "animals.insects.moths")] == [
        True
    ] * 3
    assert not moth.is_labelled("animal")
    assert not moth.is_labelled("insects")


@pytest.mark.parametrize(
    "fields",
    [
        {"body": "<meta charset=koi8-r><title>Käfer</title>"},
        {"body": "<title>Käfer</title>", "charset": "no-such-charset"},
        {"body": "<title>Käfer</title>", "charset": "koi8-r"},
        {"body": "<title>Käfer</title>", "charset": "ascii"},
    ],
)
def test_text_is_read_as_it_stands_whatever_is_said_of_its_charset(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    [found] = read_records(lines(tmp_path / "a.jsonl", {"url": HERE, "content_type": "text/html", **fields}))
    assert PageParser().read(found.reply).title == "Käfer"


BODIES = st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-8", "replace")))
TYPES = st.sampled_from(
    ["", "text/html", "text/html; charset=utf-8", "text/html;charset=latin-1", "text/plain; charset='x'"]
)


@given(st.lists(st.tuples(BODIES, TYPES, st.lists(st.text())), max_size=4))
def test_what_is_written_reads_back_as_the_same(
    tmp_path_factory: pytest.TempPathFactory, kept: list[tuple[bytes, str, list[str]]]
) -> None:
    path = tmp_path_factory.mktemp("records") / "a.jsonl"
    records = [record(body, content_type, *labels) for body, content_type, labels in kept]
    write_records(path, records)
    again = list(read_records(path))
    assert [each.reply.body for each in again] == [each.reply.body for each in records]
    assert [each.labels for each in again] == [each.labels for each in records]
    parser = PageParser()
    assert [parser.read(each.reply) for each in again] == [parser.read(each.reply) for each in records]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_files_are_packed_as_their_names_say(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    records = [record(b"<p>moth %d" % number, "text/html") for number in range(300)]
    write_records(path, records)
    assert list(read_records(path)) == records
    renamed = path.rename(tmp_path / "named-otherwise")
    assert list(read_records(renamed)) == records


UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().stream_reader(data).read(),
}


@pytest.mark.parametrize("suffix", list(UNPACK))
def test_other_programs_can_unpack_them(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    write_records(path, [record(b"moth")])
    assert json.loads(UNPACK[suffix](path.read_bytes()))["body"] == "moth"


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_a_packed_file_that_is_cut_short_says_so(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    write_records(path, [record(bytes([number % 251]) * 500) for number in range(200)])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UsageError, match=r"a\.jsonl.* is damaged after line \d+"):
        list(read_records(path))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "no JSON"),
        ("[]", "no JSON object"),
        ('{"body": "x"}', '"url" is missing'),
        ('{"url": ""}', '"url" is missing'),
        ('{"url": 3}', '"url" must be text'),
        ('{"url": "u", "status": "200"}', '"status" must be a whole number'),
        ('{"url": "u", "labels": "a"}', '"labels" must be a list of texts'),
        ('{"url": "u", "body": 3}', '"body" must be text'),
        ('{"url": "u", "body_base64": "?"}', '"body_base64" is no base64'),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: str, problem: str) -> None:
    path = lines(tmp_path / "a.jsonl", {"url": HERE, "body": "x"}, "", line, {"url": HERE})
    found: Iterator[Record] = read_records(path)
    assert next(found).reply.url == HERE
    with pytest.raises(UsageError) as caught:
        next(found)
    assert str(caught.value) == f"{path}, line 3: {problem}"


def test_a_file_that_is_not_there_or_is_no_file_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UsageError, match="cannot read"):
            list(read_records(path))


@pytest.mark.skipif(not SHARED.exists(), reason="the recorded webs are not here")
def test_recorded_webs_are_read() -> None:
    for name in ("webkb", "wikispeedia"):
        found = read_records(SHARED / name / "pages.jsonl.xz")
        first = [next(found) for _ in range(20)]
        assert all(each.reply.body for each in first)
        assert any(each.labels for each in first)


SLOW = "punycode", "idna", "unicode_escape", "utf-7", "undefined"


@pytest.mark.parametrize("charset", SLOW)
def test_only_encodings_of_the_web_pick_a_codec(tmp_path: Path, charset: str) -> None:
    path = tmp_path / "a.jsonl"
    write_records(path, [record(b"moth-", f"text/html; charset={charset}")])
    assert "body_base64" in json.loads(
        path.read_text()
    )  # punycode took 15 s to decode "-999...", 400 kB of it
    [found] = read_records(path)
    assert found.reply.body == b"moth-"
    lines(path, {"url": HERE, "body": "Käfer", "charset": charset})
    [found] = read_records(path)
    assert found.reply.body == "Käfer".encode()


@pytest.mark.parametrize(
    "pack", [gzip.compress, lzma.compress, zstandard.ZstdCompressor().compress], ids=["gz", "xz", "zst"]
)
def test_a_file_that_unpacks_without_end_is_refused_in_one_line(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack(b'{"url": "' + bytes(160 * 2**20)))
    with pytest.raises(UsageError, match=r"a\.jsonl .*a line of it is longer than 128 MB; leave it out"):
        list(read_records(path))


def test_large_bodies_of_control_characters_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    body = b"\x01" * (24 * 2**20)  # as text in JSON, six bytes each
    write_records(path, [record(body, "text/plain; charset=utf-8")])
    [found] = read_records(path)
    assert found.reply.body == body
