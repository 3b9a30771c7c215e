"""Pages from wherever people keep them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from homing.errors import UnreadableError
from homing.model import Failure, Reply
from homing.parse import PageParser
from homing.topic.sources import Fetched, Sample, Sources, urls_in

HTML = b"<title>Moths</title><p>Moths fly by night."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(source: str) -> tuple[list[str], list[str]]:
    """Where pages were found, and what was complained of."""
    sources = Sources(PageParser())
    return [sample.source for sample in sources.read(source)], sources.troubles


def one(source: str) -> Sample:
    [sample] = Sources(PageParser()).read(source)
    return sample


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        ("a.html", HTML, "Moths"),
        ("a.HTM", HTML, "Moths"),
        ("a.txt", "Käfer\nKäfer fliegen.".encode(), "Käfer"),
        ("a.md", b"Beetles <b>are</b> not HTML here", "Beetles <b>are</b> not HTML here"),
        ("saved page", HTML, "Moths"),
        ("a.php?id=1", HTML, "Moths"),
    ],
)
def test_a_file_is_a_page(here: Path, name: str, content: bytes, title: str) -> None:
    (here / name).write_bytes(content)
    sample = one(name)
    assert (sample.source, sample.page.title) == (name, title)
    assert sample.page.url == (here / name).as_uri()
    assert sample.has_words


def test_a_folder_gives_the_pages_below_it_in_order_and_nothing_else(here: Path) -> None:
    for name in ("b.html", "a.txt", "sub/c.htm", "sub/page-without-suffix", ".hidden.html", ".git/x.html"):
        path = here / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HTML)
    (here / "pages" / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (here / "pages" / "logo.svg").write_bytes(b"<svg><a>logo</a></svg>")
    (here / "pages" / "make.py").write_bytes(b'print("<b>not a page</b>")')
    (here / "pages" / "more.jsonl").write_text(json.dumps({"url": "http://a.example/", "body": "x"}))
    found, troubles = read("pages")
    assert found == [
        "pages/a.txt",
        "pages/b.html",
        "http://a.example/",
        "pages/sub/c.htm",
        "pages/sub/page-without-suffix",
    ]
    assert troubles == []


def test_records_bring_their_labels_and_only_those_with_a_page_count(here: Path) -> None:
    rows = [
        {"url": "http://a.example/", "body": "x", "labels": ["moths"]},
        {"url": "http://a.example/gone", "body": "not found", "status": 404},
    ]
    (here / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert one("a.jsonl").record.labels == ("moths",)


def empty_folder(here: Path) -> str:
    (here / "empty").mkdir()
    return "empty"


def folder_of_pictures(here: Path) -> str:
    (here / "photos").mkdir()
    (here / "photos" / "a.png").write_bytes(b"\x89PNG\r\n")
    return "photos"


def picture(here: Path) -> str:
    (here / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return "a.png"


def picture_called_text(here: Path) -> str:
    (here / "a.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return "a.txt"


def bad_records(here: Path) -> str:
    (here / "a.jsonl").write_text("{}\n")
    return "a.jsonl"


def no_records(here: Path) -> str:
    (here / "a.jsonl").write_text("\n")
    return "a.jsonl"


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda here: "none.html", "cannot read none.html: No such file or directory"),
        (lambda here: "none.jsonl", "cannot read none.jsonl: No such file or directory"),
        (empty_folder, "empty holds no pages: there is no HTML, text, PDF or JSONL file in it"),
        (folder_of_pictures, "photos holds no pages: there is no HTML, text, PDF or JSONL file in it"),
        (picture, "a.png is no page: neither HTML, text nor PDF"),
        (picture_called_text, "a.txt is no page: neither HTML, text nor PDF"),
        (bad_records, 'a.jsonl, line 1: "url" is missing'),
        (no_records, "a.jsonl holds no pages"),
    ],
)
def test_what_cannot_be_read_is_one_line(here: Path, make: Callable[[Path], str], line: str) -> None:
    assert read(make(here)) == ([], [line])


def test_every_unreadable_file_of_a_folder_has_its_line_and_the_others_are_read(here: Path) -> None:
    (here / "pages").mkdir()
    (here / "pages" / "b.html").write_bytes(HTML)
    for name in ("a.html", "c.html"):
        (here / "pages" / name).symlink_to("nowhere")
    found, troubles = read("pages")
    assert found == ["pages/b.html"]
    assert troubles == [
        f"cannot read pages/{name}: No such file or directory" for name in ("a.html", "c.html")
    ]


def test_troubles_are_raised_together() -> None:
    sources = Sources(PageParser())
    for name in ("none.html", "none.txt", "none.html"):
        assert list(sources.read(name)) == []
    with pytest.raises(UnreadableError) as caught:
        sources.check()
    assert caught.value.exit_code == 2
    assert caught.value.lines == (
        "cannot read none.html: No such file or directory",
        "cannot read none.txt: No such file or directory",
    )


def test_a_text_of_nothing_but_urls_is_a_list_of_them(here: Path) -> None:
    (here / "urls.txt").write_text("\ufeff# my pages\nhttps://a.example/1\n\n https://b.example/ \n")
    assert urls_in("urls.txt") == ("https://a.example/1", "https://b.example/")
    (here / "notes.txt").write_text("https://a.example/\nis a page on moths")
    assert urls_in("notes.txt") == ()
    (here / "empty.txt").write_text("")
    assert urls_in("empty.txt") == ()
    assert urls_in("https://a.example/") == ("https://a.example/",)
    assert urls_in("none.txt") == ()


def test_pages_of_the_web_come_from_what_was_fetched(here: Path) -> None:
    (here / "urls.txt").write_text("http://a.example/1\nhttp://a.example/2\nhttp://a.example/3\n")
    moved = Reply(
        url="http://a.example/1",
        final_url="http://a.example/one",
        status=200,
        headers=(("Content-Type", "text/html"), ("X-Robots-Tag", "noindex")),
        body=HTML,
    )
    fetched: Fetched = {
        "http://a.example/1": moved,
        "http://a.example/2": Failure(url="http://a.example/2", kind="http", detail="the host answered 404"),
        "http://a.example/3": Failure(
            url="http://a.example/3", kind="address", detail="127.0.0.1 is private"
        ),
    }
    sources = Sources(PageParser(), fetched)
    [sample] = sources.read("urls.txt")
    assert sample.source == "http://a.example/1"
    assert sample.page.url == sample.record.reply.url == "http://a.example/one"
    assert PageParser().read(sample.record.reply) == sample.page
    assert sources.troubles == [
        "cannot fetch http://a.example/2: the host answered 404",
        "cannot fetch http://a.example/3: 127.0.0.1 is private; --allow-network permits private addresses",
    ]
