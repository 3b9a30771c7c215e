"""Records out of WARC files, crawls and JSONL files."""

from __future__ import annotations

import json
import lzma
import tarfile
from pathlib import Path

import pytest
from tests.lab.warcfiles import gzipped, http, pages, response, warc_record

from homing import urls
from homing.errors import UnreadableError
from homing.lab.archives.sources import Sources
from homing.model import Entry, Host, Priority, Reply, Standing
from homing.ports import NewVisit
from homing.records import Record
from homing.store.catalog.labels import label_pages
from homing.store.folder import open_catalog

SITE = "http://a.example"
DIGEST = "WARC-Payload-Digest: sha1:AAAA"


def read(*sources: Path | str) -> tuple[list[Record], list[str]]:
    found = Sources([str(source) for source in sources])
    return list(found), found.troubles


def bodies(records: list[Record]) -> dict[str, bytes]:
    return {record.reply.url: record.reply.body for record in records}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    packed = Path(__file__).parents[4] / "shared/data/suites/warc-samples/warc-samples-warcio.tar.xz"
    if not packed.is_file():
        pytest.skip("the shared test data is not on this machine")
    folder = tmp_path_factory.mktemp("samples")
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    return folder / "warcio/test/data"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("example.warc", [("http://example.com/", 200, 1270)]),
        ("example.warc.gz", [("http://example.com/", 200, 1270)]),
        ("example-trunc.warc", [("http://example.com/", 200, 1270)]),
        ("example-bad-non-chunked.warc.gz", [("http://example.com/", 200, 1270)]),
        (
            "example-bad.warc.gz.bad",
            [("http://example.com?example=1", 200, 1270), ("http://www.iana.org/domains/example", 302, 201)],
        ),
        ("example-iana.org-chunked.warc", [("http://www.iana.org/", 200, 7223)]),
        ("example-resource.warc.gz", [("http://example.com/", 200, 1303)]),
        ("example-wget-bad-target-uri.warc.gz", [("http://example.com/", 200, 1270)]),
        ("example-wrong-chunks.warc.gz", [("http://example.com/", 200, 1270)]),
    ],
)
def test_files_of_other_producers_are_read(
    samples: Path, name: str, found: list[tuple[str, int, int]]
) -> None:
    records, troubles = read(samples / name)
    assert [(each.reply.url, each.reply.status, len(each.reply.body)) for each in records] == found
    assert troubles == []


def test_files_without_a_page_and_of_an_older_format_are_told(samples: Path) -> None:
    for name in ("example-digest.warc", "example-space-in-target-uri.warc.gz", "post-test.warc.gz"):
        assert read(samples / name) == ([], [f"{samples / name} holds no pages"])
    for name in ("example.arc", "example.arc.gz", "bad.arc"):
        with pytest.raises(UnreadableError, match="is an ARC file"):
            read(samples / name)
    records, troubles = read(samples)
    assert "http://www.iana.org/" in bodies(records)
    assert sum("is an ARC file" in trouble for trouble in troubles) == 4


def test_damage_is_told_in_one_line_with_file_and_place(tmp_path: Path) -> None:
    members = gzipped(pages(3))
    members[1] = members[1][:200] + b"damage" + members[1][206:]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(members))
    records, [trouble] = read(path)
    assert [record.reply.url[-1] for record in records] == ["0", "2"]
    assert trouble.startswith(f"{path}, byte {len(members[0])}: what is packed here is damaged near byte ")


def test_a_revisit_gets_the_body_of_the_first_visit_wherever_that_is(tmp_path: Path) -> None:
    first = warc_record("response", f"{SITE}/first", http(b"<p>moths</p>"), DIGEST)
    by_digest = warc_record("revisit", f"{SITE}/again", http(b"", "X-Mine: 1"), DIGEST)
    by_url = warc_record(
        "revisit",
        f"{SITE}/other",
        http(b"", status="304 Not Modified"),
        "WARC-Payload-Digest: sha1:UNKNOWN",
        f"WARC-Refers-To-Target-URI: {SITE}/first",
    )
    same_page = warc_record("revisit", f"{SITE}/first", b"", DIGEST)
    lost = warc_record("revisit", f"{SITE}/lost", b"", "WARC-Payload-Digest: sha1:NOWHERE")
    (tmp_path / "1.warc").write_bytes(by_digest + by_url + same_page + lost)
    (tmp_path / "2.warc").write_bytes(first)
    records, troubles = read(tmp_path)
    assert [record.reply.url.removeprefix(SITE) for record in records] == ["/first", "/again", "/other"]
    assert {record.reply.body for record in records} == {b"<p>moths</p>"}
    assert [record.reply.status for record in records] == [200, 200, 200]
    assert records[1].reply.header("X-Mine") == "1"
    assert troubles == [
        f"{tmp_path / '1.warc'} holds no pages",
        "a page that was revisited only: the first visit is in none of the files",
    ]


def test_lines_that_are_no_records_are_told_and_the_others_kept(tmp_path: Path) -> None:
    lines = [
        '{"url": "http://a.example/1"}',
        "no JSON",
        "[]",
        '{"url": "http://a.example/2", "labels": ["x"]}',
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(lines))
    records, troubles = read(path)
    assert [(record.reply.url[-1], record.labels) for record in records] == [("1", ()), ("2", ("x",))]
    assert troubles == [f"{path}, line 2: no JSON", f"{path}, line 3: no JSON object"]
    path.write_text("nonsense\n" * 1_000 + lines[0])
    records, troubles = read(path)
    assert len(records) == 1
    assert (len(troubles), troubles[-1]) == (21, f"{path}: and 980 more")


def test_a_packed_file_that_is_cut_off_keeps_what_was_whole(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"url": f"{SITE}/{n}", "body": f"{n * 7919}" * 900}) + "\n" for n in range(90))
    path = tmp_path / "pages.jsonl.xz"
    whole = lzma.compress(lines.encode(), preset=0)
    path.write_bytes(whole[: len(whole) // 2])
    records, [trouble] = read(path)
    assert 0 < len(records) < 90
    assert trouble.startswith(f"{path} is damaged after line {len(records)}")


def test_what_a_file_is_its_first_bytes_tell(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzipped(pages(1))[0])
    (tmp_path / "b").write_bytes(lzma.compress(b'{"url": "http://a.example/json"}'))
    (tmp_path / "c.warc").write_bytes(b'\n {"url": "http://a.example/misnamed"}')
    records, troubles = read(*(tmp_path / name for name in "ab"), tmp_path / "c.warc")
    assert [record.reply.url.removeprefix(SITE) for record in records] == ["/0", "/json", "/misnamed"]
    assert troubles == []


def test_patterns_and_folders_stand_for_what_is_in_them(tmp_path: Path) -> None:
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/er/b.warc").write_bytes(response(f"{SITE}/b", b"b"))
    (tmp_path / "deep/a.jsonl").write_text(json.dumps({"url": f"{SITE}/a", "body": "a"}))
    (tmp_path / "deep/notes.txt").write_text("mine")
    everything = {f"{SITE}/a": b"a", f"{SITE}/b": b"b"}
    assert bodies(read(tmp_path)[0]) == everything
    assert bodies(read(tmp_path / "**/*.*l", tmp_path / "d*/er/?.warc")[0]) == everything


def test_sources_that_cannot_be_read_are_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("a b c")
    (tmp_path / "web").mkdir()
    (tmp_path / "web/web.db").touch()
    (tmp_path / "good.warc").write_bytes(pages(1)[0])
    wrong = ("missing", "empty", "text", "web", "*.none")
    with pytest.raises(UnreadableError) as raised:
        Sources([str(tmp_path / name) for name in ("good.warc", *wrong)])
    words = ("No such file", "holds neither", "is neither", "a recorded web already", "no file is named like")
    assert all(word in line for word, line in zip(words, raised.value.lines, strict=True))


def test_a_crawl_gives_its_pages_and_redirects_with_the_labels_of_people(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    asked = {"/": 200, "/old": 301, "/gone": 404, "/waiting": 0}
    store = open_catalog(folder, strategy="s", judge="j", wall=lambda: 1.7e9)
    store.add_hosts([Host(number=0, name="a.example")])
    entries = [
        Entry(key=urls.key(SITE + path), url=SITE + path, priority=Priority(), seq=seq)
        for seq, path in enumerate(asked)
    ]
    store.add(entries, [0] * len(entries))
    for step, (entry, status) in enumerate(zip(entries, asked.values(), strict=True), start=1):
        if not status:
            continue
        headers = (("Location", "/"), ("X-Odd", "\udcff")) if status == 301 else ()
        reply = Reply(
            url=entry.url,
            final_url=entry.url,
            status=status,
            headers=headers,
            body=b"%d" % status,
            requested_at=1.0,
        )
        standing = {200: Standing.DONE, 301: Standing.REDIRECTED, 404: Standing.FAILED}[status]
        store.keep(NewVisit(reply=reply, entry=entry, step=step, standing=standing))
    store.commit()
    store.close()
    label_pages(folder, {f"{SITE}/": True, f"{SITE}/gone": False}, wall=lambda: 1.7e9)
    records, troubles = read(folder)
    found = {each.reply.url.removeprefix(SITE): (each.reply.status, each.labels) for each in records}
    assert found == {"/": (200, ("relevant",)), "/old": (301, ()), "/gone": (404, ("irrelevant",))}
    assert troubles == []
    next((folder / "warc").iterdir()).write_bytes(b"broken")
    records, troubles = read(folder)
    assert (len(records), len(troubles)) == (0, 3)
