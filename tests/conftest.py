"""The command line, called as a shell would call it; and no clocks in property tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import settings

from homing.cli import main

# A busy machine is no fault of the code: no test fails by the clock.
settings.register_profile("homing", deadline=None)
settings.load_profile("homing")

Homing = Callable[..., CompletedProcess[str]]


@pytest.fixture
def homing(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Homing:
    """``homing(*arguments)`` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> CompletedProcess[str]:
        capfd.readouterr()
        words = [str(argument) for argument in arguments]
        with pytest.raises(SystemExit) as left:
            main(words)
        out, err = capfd.readouterr()
        return CompletedProcess(words, int(left.value.code or 0), out, err)

    return call
