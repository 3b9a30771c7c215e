"""Recorded webs given to commands: recognised, and re-parsed if an older version wrote them."""

from __future__ import annotations

from pathlib import Path

from homing.cli.output import errors
from homing.lab.web.recorded import FILE
from homing.lab.web.recording import refresh


def is_recorded_web(folder: Path) -> bool:
    """Tell whether ``homing lab import`` wrote a folder."""
    return (folder / FILE).is_file()


def renew(folder: Path) -> None:
    """Re-parse a recorded web if this version parses pages differently, and say so."""
    if refresh(folder):
        errors().print(
            f"{folder} was parsed again: this version of Homing parses pages differently",
            style="dim",
            soft_wrap=True,
        )
