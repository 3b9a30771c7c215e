"""``homing index``: the full-text index behind ``homing search``."""

from __future__ import annotations

from typing import Annotated

import typer

from homing.cli import options
from homing.cli.output import errors, print_json, results
from homing.cli.report import Folder
from homing.crawler.index.catch_up import catch_up
from homing.crawler.index.catch_up import rebuild as rebuild_index
from homing.store.index import Search

COMMAND = "homing index"


def index(
    folder: Folder,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild", metavar="", help="Rebuild it from the archive, with the anchor texts of all links."
        ),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Bring the full-text index of a crawl up to date.

    A running crawl does so by itself, and homing search before each query. They index a page under the anchor
    text of its best link; --rebuild uses the anchor texts of all links.
    """
    if rebuild:
        rebuild_index(folder, command=f"{COMMAND} --rebuild")
    else:
        catch_up(folder, command=COMMAND, tell=tell)
    pages = Search(folder).pages
    if as_json:
        print_json({"pages": pages})
    else:
        results().print(f"{pages:,} pages are indexed", markup=False)


def tell(visits: int) -> None:
    """Announce an update that takes a while."""
    if visits >= 500:
        errors().print(f"reading {visits:,} visits from the archive into the index", markup=False)
