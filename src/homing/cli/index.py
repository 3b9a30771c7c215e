"""``homing index``: what ``homing search`` looks in."""

from __future__ import annotations

from typing import Annotated

import typer

from homing.cli.output import errors, print_json, results
from homing.cli.report import Folder
from homing.crawler.index.catch_up import catch_up
from homing.crawler.index.catch_up import rebuild as make_anew
from homing.store.index import Search

COMMAND = "homing index"


def index(
    folder: Folder,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild", metavar="", help="Make it anew from the archive, with the words of all links."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", metavar="", help="As JSON.")] = False,
) -> None:
    """Bring the full-text index of a crawl up to date.

    A crawl does so while it runs, and homing search before it looks. Of the links that lead to a page, these
    know the words of the best one; --rebuild takes the words of all of them.
    """
    if rebuild:
        make_anew(folder, command=f"{COMMAND} --rebuild")
    else:
        catch_up(folder, command=COMMAND, tell=tell)
    pages = Search(folder).pages
    if as_json:
        print_json({"pages": pages})
    else:
        results().print(f"{pages:,} pages can be searched", markup=False)


def tell(visits: int) -> None:
    """Say what takes a while."""
    if visits >= 500:
        errors().print(f"reading {visits:,} visits from the archive into the index", markup=False)
