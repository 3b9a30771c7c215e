"""Recorded webs as commands take them."""

from __future__ import annotations

from pathlib import Path

from homing.cli.output import errors
from homing.lab.web.recorded import FILE
from homing.lab.web.recording import refresh


def is_recorded_web(folder: Path) -> bool:
    """Whether ``homing lab import`` has made it."""
    return (folder / FILE).is_file()


def renew(folder: Path) -> None:
    """Parse the pages of a recorded web anew where this Homing reads pages otherwise, and say so."""
    if refresh(folder):
        errors().print(
            f"{folder} was parsed anew: this Homing reads pages otherwise", style="dim", soft_wrap=True
        )
