"""How Python is started; with hostile folders in tests/integration/test_hostile_folder.py."""

from __future__ import annotations

import ast
import os
import threading
from pathlib import Path

import pytest

from homing.processes import environment_elsewhere, homing_command, safe_path

SOURCE = Path(__file__).parents[1] / "src" / "homing"


def is_set() -> bool:
    return bool(os.environ.get("PYTHONSAFEPATH"))


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)


def test_the_variable_is_there_until_the_last_thread_has_left() -> None:
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with safe_path():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with safe_path():
        thread.start()
        assert entered.wait(10)
    assert is_set()
    leave.set()
    thread.join()
    assert not is_set()


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "yes")
    with pytest.raises(KeyError), safe_path(), safe_path():
        raise KeyError
    assert os.environ["PYTHONSAFEPATH"] == "yes"


def test_the_folders_of_the_path_are_those_that_they_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f":lib{os.pathsep}/opt/lib")
    found = environment_elsewhere()
    assert found["PYTHONPATH"].split(os.pathsep) == [str(tmp_path), str(tmp_path / "lib"), "/opt/lib"]
    assert found["PYTHONSAFEPATH"] == "1"
    monkeypatch.delenv("PYTHONPATH")
    assert "PYTHONPATH" not in environment_elsewhere()


def test_the_command_looks_nowhere_else() -> None:
    assert homing_command("crawl", "--quiet")[1:] == ["-P", "-m", "homing", "crawl", "--quiet"]


def test_every_module_that_starts_processes_starts_them_so() -> None:
    starting = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        modules = {
            name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [each.name for each in node.names]
            )
        }
        if modules & {"subprocess", "multiprocessing", "concurrent.futures.process"}:
            starting.add(path.relative_to(SOURCE).as_posix())
            assert "homing.processes" in modules or path.name == "workers.py", path
    starting.remove("lab/workers.py")  # it only runs in processes that others have started
    assert starting == {
        "crawler/reader.py",
        "lab/campaign.py",
        "lab/web/parsing.py",
        "serve/crawl/launch.py",
    }
