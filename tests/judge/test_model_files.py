"""Model files: plain data, whole or refused in one line. Covers ``modelfile``, ``judge.model_files``."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from homing.checks.webs import toy_web
from homing.errors import ModelError, StorageError, UsageError
from homing.judge import JUDGES, Judge
from homing.judge.keywords import Keywords
from homing.judge.model_files import judge_in, load_judge, save_judge
from homing.modelfile import parse_model, read_model

WEB = toy_web(seed=0)

Document = dict[str, object]


def judge(name: str = "bayes") -> Judge:
    return JUDGES.get(name)(WEB.brief())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good model."""
    save_judge(tmp_path / "moths.model", judge(), {"f1": 0.9})
    return tmp_path / "moths.model"


def signed(document: Document) -> bytes:
    """The document with a digest that fits."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    digest = f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
    return json.dumps({**rest, "digest": digest}).encode()


def learning_judges() -> list[str]:
    return [name for name in JUDGES.names() if JUDGES.get(name) is not Keywords]


@pytest.mark.parametrize("name", learning_judges())
def test_every_judge_that_learns_comes_back_from_its_file_as_it_was(name: str, tmp_path: Path) -> None:
    trained = judge(name)
    save_judge(tmp_path / "a.model", trained, None)
    again = load_judge(tmp_path / "a.model")
    assert again.name == name
    pages = list(WEB.pages.values())[::7]
    assert [again.judge(page) for page in pages] == [trained.judge(page) for page in pages]
    texts = [link.around for link in WEB.pages[WEB.home].links]
    assert again.rate(texts) == trained.rate(texts)
    save_judge(tmp_path / "b.model", again, None)
    assert read_model(tmp_path / "b.model").state == read_model(tmp_path / "a.model").state


def test_a_model_says_what_it_is_and_what_it_was_trained_on(path: Path) -> None:
    model = read_model(path)
    assert (model.kind, model.name, model.report) == ("judge", "bayes", {"f1": 0.9})
    assert model.trained_on == {"positives": 3, "negatives": 3, "unlabelled": 0}
    document = json.loads(path.read_bytes())
    assert document["format"] == "homing-model"
    assert signed(document) == path.read_bytes().rstrip(b"\n")


def test_a_judge_that_learns_nothing_has_no_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="learns nothing"):
        save_judge(tmp_path / "a.model", Keywords("moths"), None)
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_cannot_be_written_leaves_the_old_one(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ValueError, match="JSON compliant"):
        save_judge(path, judge(), {"f1": float("nan")})
    assert path.read_bytes() == before
    with pytest.raises(StorageError, match="cannot write"):
        save_judge(path / "below", judge(), None)
    assert os.listdir(path.parent) == [path.name]


def refusal(content: bytes) -> str:
    with pytest.raises(ModelError) as caught:
        judge_in(parse_model(content, "my.model"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"\x80\x04\x95", b"[]", b'{"a": 1}', b"<html>", b"\xff\xfe", b"[" * 100_000]
)
def test_a_strangers_file_is_no_model(content: bytes) -> None:
    assert refusal(content) == "my.model is no model of Homing's; make one with homing train or homing fit"


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
def test_a_model_that_was_cut_short_says_so(path: Path, share: float) -> None:
    content = path.read_bytes().rstrip()
    cut = content[: max(40, int(len(content) * share))]
    assert refusal(cut) == "my.model is damaged: it is cut short, or was changed"


def set_to(**fields: object) -> Callable[[Document], Document]:
    return lambda document: {**document, **fields}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_to(version=2), "was written by a newer Homing (version 2 of models, this one knows 1); update"),
        (set_to(version="1"), "is damaged: it has no version"),
        (set_to(name="svm"), "is damaged: its digest does not fit"),
        (set_to(digest=None), "is damaged: its digest does not fit"),
        (set_to(state={"a": float("inf")}), "is damaged: its digest does not fit"),
    ],
)
def test_a_model_that_was_changed_says_so(
    path: Path, change: Callable[[Document], Document], words: str
) -> None:
    content = json.dumps(change(json.loads(path.read_bytes()))).encode()
    assert refusal(content).startswith(f"my.model {words}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_to(kind="strategy", name="hmm"), "is a model of a strategy, not of a judge"),
        (set_to(name="bajes"), 'cannot be used: there is no judge "bajes"; did you mean "bayes"?'),
        (set_to(state=3), "is damaged: something is missing from it"),
        (set_to(trained_on={"positives": "many"}), "is damaged: something is missing from it"),
        (set_to(state={}), ""),
    ],
)
def test_a_model_that_is_whole_but_of_no_use_says_why(
    path: Path, change: Callable[[Document], Document], words: str
) -> None:
    content = signed(change(json.loads(path.read_bytes())))
    assert refusal(content).startswith(f"my.model {words}")


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot read the model .*: No such file"):
        load_judge(tmp_path / "none.model")


def test_odd_letters_survive(tmp_path: Path) -> None:
    save_judge(tmp_path / "a.model", judge(), {"note": "\ud800 ß \x00"})
    assert read_model(tmp_path / "a.model").report == {"note": "\ud800 ß \x00"}


def test_a_file_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.modelfile.LARGEST", 1024 * 1024)
    (tmp_path / "endless.model").symlink_to("/dev/zero")
    with pytest.raises(ModelError, match=r"endless\.model: it is larger than 1 MB; name the file of a model"):
        read_model(tmp_path / "endless.model")
