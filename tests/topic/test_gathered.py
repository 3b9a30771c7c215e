"""From what a user said to the judge of a crawl, and the same judge again when the crawl goes on."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homing.config import Config
from homing.crawler.crawl import Crawl
from homing.crawler.examples import fetch_examples
from homing.crawler.opening import open_crawl
from homing.errors import DamagedError, LockedError, ModelError, OtherCrawlError, UnreadableError, UsageError
from homing.judge import JUDGES, Brief
from homing.judge.model_files import save_judge
from homing.model import Page
from homing.records import read_records
from homing.store.folder import Layout
from homing.topic import gathered as topic

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/"
MOTHS = "Moths are insects with scaly wings. A moth flies by night and its caterpillars eat leaves. "
CHESS = "In chess a bishop moves along the diagonal. The queen takes a rook, and the king is in check. "
PAGE = Page(url="http://x.example/", title="Moths", text=MOTHS * 3)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pages on moths and one on chess."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "moths").mkdir()
    for name, text in (("moths/a.html", MOTHS), ("moths/b.txt", MOTHS[::-1]), ("chess.html", CHESS)):
        (tmp_path / name).write_text(f"<title>{name}</title><p>{text * 5}")
    return tmp_path


@pytest.fixture
def model(here: Path) -> Path:
    pages = [Page(url=f"http://x.example/{number}", text=MOTHS * number) for number in range(3, 9)]
    save_judge(here / "moths.model", JUDGES.get("bayes")(Brief(examples=tuple(pages))), None)
    return here / "moths.model"


def config(judge: str = "", /, **said: object) -> Config:
    tables: dict[str, Mapping[str, object]] = {
        "topic": said,
        "seeds": {"urls": [SEED]},
        "fetch": {"connect_to": "127.0.0.1:9", "retry_base_seconds": 0.05},
        "pace": {"delay": 0.0},
        "judge": {"name": judge} if judge else {},
    }
    return Config.of(tables).located(Path())


def open_served(small: SmallWeb, serve: Serve, wanted: Config, folder: Path) -> Crawl:
    """Open a crawl as the Python interface does, while the web is served."""

    async def run() -> Crawl:
        async with serve(small):
            there = wanted.merged({"fetch": {"connect_to": small.address}})
            return open_crawl(there, folder, await fetch_examples(there, folder))

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "judge"),
    [
        ({"text": "moths"}, "keywords"),
        ({"keywords": ["moths"]}, "keywords"),
        ({"examples": ["moths"]}, "examples"),
        ({"text": "moths", "examples": ["moths"], "codes": ["595"]}, "examples"),
        ({"codes": ["595"]}, "decimal"),
        ({"codes": ["595"], "text": "moths"}, "decimal"),
        ({"model": "moths.model"}, "bayes"),
    ],
)
def test_without_a_name_the_judge_is_the_one_that_fits(
    model: Path, said: dict[str, object], judge: str
) -> None:
    assert topic.judge_for(config("", **said)) == judge
    assert topic.judge_for(config("svm", **said)) == "svm"


def test_a_crawl_goes_on_with_the_same_judge_whatever_became_of_its_examples(
    here: Path, small: SmallWeb, serve: Serve
) -> None:
    small.page("http://b.example/moth", text=MOTHS * 4)
    small.redirect("http://b.example/old", "/moth")
    small.page("http://b.example/game", text=CHESS * 4)
    said = config(
        "examples",
        examples=["moths", "http://b.example/old"],
        negatives=["chess.html", "http://b.example/game"],
    )
    first = open_served(small, serve, said, here / "c")
    first.close()
    kept = list(read_records(here / "c" / "topic.jsonl"))
    assert [record.labels for record in kept] == [("example",)] * 3 + [("negative",)] * 2
    assert [record.reply.url.rpartition("/")[2] for record in kept] == [
        "a.html",
        "b.txt",
        "moth",
        "chess.html",
        "game",
    ]
    before = (here / "c" / "topic.jsonl").read_bytes()
    shutil.rmtree(here / "moths")
    small.answers.clear()
    small.log.clear()
    again = open_served(small, serve, said, here / "c")
    again.close()
    assert again.resumed
    assert again.summary == first.summary
    assert small.log == []
    assert (here / "c" / "topic.jsonl").read_bytes() == before


def test_what_is_loaded_is_what_was_gathered(here: Path) -> None:
    said = config("examples", text="moths", examples=["moths"], negatives=["chess.html"])
    gathered = topic.gather(said, {})
    (here / "c").mkdir()
    gathered.keep(Layout(here / "c"))
    loaded = topic.load(said, Layout(here / "c"))
    assert loaded == gathered
    assert len(loaded.brief.examples) == 2
    assert loaded.judge(said).judge(PAGE) == gathered.judge(said).judge(PAGE)


def test_the_judge_that_was_chosen_is_written_down(here: Path) -> None:
    open_crawl(config(examples=["moths"]), here / "c").close()
    stored = Config.load(here / "c" / "crawl.toml")
    assert stored.judge.name == "examples"
    assert stored.topic.examples == (str(here / "moths"),)
    open_crawl(config(examples=["moths"]), here / "c").close()
    with pytest.raises(OtherCrawlError, match="judge name"):
        open_crawl(config("keywords", text="x", examples=["moths"]), here / "c")


def test_other_examples_are_another_topic(here: Path) -> None:
    open_crawl(config(examples=["moths"]), here / "c").close()
    for other in (
        {"examples": ["chess.html"]},
        {"examples": ["moths"], "negatives": ["chess.html"]},
        {"examples": ["moths"], "codes": ["595"]},
    ):
        with pytest.raises(OtherCrawlError, match="another topic"):
            open_crawl(config("", **other), here / "c")


def test_a_crawl_with_a_model_keeps_it(here: Path, model: Path) -> None:
    first = open_crawl(config(model="moths.model"), here / "c")
    first.close()
    assert (here / "c" / "topic.model").read_bytes() == model.read_bytes()
    model.write_text("changed")
    again = open_crawl(config(model="moths.model"), here / "c")
    again.close()
    assert again.summary == first.summary
    assert again.summary.startswith("bayes judges by moths.model, trained on 6 example pages: ")


def test_a_model_of_another_judge_is_not_taken_for_the_one_named(here: Path, model: Path) -> None:
    with pytest.raises(UsageError, match='is a model of the judge "bayes", not of "keywords"'):
        open_crawl(config("keywords", model="moths.model"), here / "c")
    (here / "broken.model").write_bytes(model.read_bytes()[:-9])
    with pytest.raises(ModelError, match="damaged"):
        open_crawl(config(model="broken.model"), here / "c")
    assert not (here / "c").exists()


def test_all_that_cannot_be_read_is_listed_and_nothing_written(
    here: Path, small: SmallWeb, serve: Serve
) -> None:
    (here / "empty").mkdir()
    (here / "blank.html").write_text("<p> </p>")
    said = config(
        examples=["moths", "none.html", "http://b.example/none", "empty"],
        negatives=["blank.html", "http://b.example/gone"],
    )
    with pytest.raises(UnreadableError) as caught:
        open_served(small, serve, said, here / "c")
    assert caught.value.lines == (
        f"cannot read {here}/none.html: No such file or directory",
        "cannot fetch http://b.example/none: the host answered 404",
        f"{here}/empty holds no pages: there is no HTML, text, PDF or JSONL file in it",
        f"{here}/blank.html holds no text to learn from",
        "cannot fetch http://b.example/gone: the host answered 404",
    )
    assert not (here / "c").exists()


def test_nothing_is_asked_of_the_web_for_a_crawl_that_makes_no_sense(
    here: Path, small: SmallWeb, folder: Folder
) -> None:
    said = {"examples": ["http://b.example/moth"]}
    for sections in ({"strategy": {"name": "x"}}, {"judge": {"name": "x"}}):
        with pytest.raises(UsageError, match='"x"'):
            folder.run(SEED, topic=said, **sections)
    assert small.log == []


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("{}\n")])
def test_a_crawl_whose_examples_are_lost_says_so(here: Path, damage: object) -> None:
    open_crawl(config(examples=["moths"]), here / "c").close()
    assert callable(damage)
    damage(here / "c" / "topic.jsonl")
    with pytest.raises(DamagedError, match=r"topic\.jsonl.*restore it from a copy"):
        open_crawl(config(examples=["moths"]), here / "c")


def test_a_crawl_killed_before_it_was_written_down_gathers_again(here: Path) -> None:
    open_crawl(config(examples=["moths"]), here / "c").close()
    (here / "c" / "crawl.toml").unlink()
    (here / "c" / "topic.jsonl").write_text("half a li")
    opened = open_crawl(config(examples=["chess.html"]), here / "c")
    opened.close()
    assert not opened.resumed
    assert len(list(read_records(here / "c" / "topic.jsonl"))) == 1


def test_a_folder_that_another_process_holds_is_not_written(here: Path) -> None:
    held = open_crawl(config(examples=["moths"]), here / "c")
    (here / "c" / "crawl.toml").unlink()
    before = (here / "c" / "topic.jsonl").read_bytes()
    with pytest.raises(LockedError):
        open_crawl(config(examples=["chess.html"]), here / "c")
    assert (here / "c" / "topic.jsonl").read_bytes() == before
    held.close()
