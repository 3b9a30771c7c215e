"""``homing check``: is a crawl folder whole, and if not, what is damaged and where?"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Annotated

import msgspec
import typer

from homing.cli import options
from homing.cli.output import print_json, printable, results
from homing.cli.report import Folder
from homing.crawler.finished.restorable import check_restorable
from homing.store.check import Finding, Mended, Part, findings, mend_folder

LISTED = 1_000
"""Maximum findings that are listed: a folder without its archive has one for each visit. All are counted."""
MENDABLE = frozenset({"archive", "index", "strategy", "ranking", "inbox"})


def check(
    folder: Folder,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend",
            metavar="",
            help="Queue damaged pages to be fetched again, set aside damaged files. The crawl must not run.",
        ),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Check a crawl folder: archive, catalog, index and saved states against each other.

    Every record is read. Without --mend nothing is written, so that a running crawl or a read-only copy can
    be checked as well. The exit code is 0 if all is whole or has been mended, and 1 if something is damaged.
    """
    found = _Found()
    read = Counter[str]()
    for finding in chain(findings(folder, read), check_restorable(folder)):
        found.add(finding)
        if not as_json and found.total <= LISTED:
            results().print(printable(str(finding)), markup=False, soft_wrap=True)
    mended = mend_folder(folder, found.visits, found.counts) if mend and found.counts else None
    if as_json:
        print_json(
            {
                "whole": not found.counts,
                "read": dict(read),
                "damaged": dict(found.counts),
                "findings": msgspec.to_builtins(found.listed),
                "mended": msgspec.to_builtins(mended),
            }
        )
    else:
        for line in _summary(folder, found, read, mended):
            results().print(printable(line), markup=False, soft_wrap=True)
    if found.counts.keys() - (MENDABLE if mended else frozenset()):
        raise typer.Exit(1)


class _Found:
    """What is wrong: all of it in numbers, the first of it in words."""

    def __init__(self) -> None:
        self.counts = Counter[Part]()
        self.listed: list[Finding] = []
        self.visits = array("q")

    @property
    def total(self) -> int:
        return self.counts.total()

    def add(self, finding: Finding) -> None:
        self.counts[finding.part] += 1
        if finding.visit:
            self.visits.append(finding.visit)
        if len(self.listed) < LISTED:
            self.listed.append(finding)


def _summary(folder: Path, found: _Found, read: Counter[str], mended: Mended | None) -> list[str]:
    counted = ", ".join(f"{count:,} {what}" for what, count in read.items() if count)
    if not found.counts:
        return [f"{folder} is whole: {counted} read"]
    lines = [f"and {found.total - LISTED:,} more"] if found.total > LISTED else []
    damaged = ", ".join(f"{part}: {count:,}" for part, count in found.counts.items())
    lines.append(f"{folder} is damaged ({damaged}); {counted} read")
    name = quote(str(folder))
    if mended is not None:
        lines += [f"set aside: {path}" for path in mended.aside]
        lines += ["the index is rebuilt by the next search or crawl"] * mended.index
        lines.append(f"{mended.pages:,} pages are queued again: homing crawl --out {name} fetches them")
    elif found.counts.keys() & MENDABLE:
        lines.append(f"homing check {name} --mend has it fetched or built again")
    if found.counts.keys() - MENDABLE:
        lines.append("what is wrong with the catalog or the topic cannot be mended: restore it from a copy")
    return lines
