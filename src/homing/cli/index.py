"""``homing index``: the full-text index behind ``homing search``."""

from __future__ import annotations

from typing import Annotated

import typer

from homing.cli import options
from homing.cli.output import errors, print_json, results
from homing.cli.report import Folder
from homing.crawler.index.catch_up import catch_up
from homing.crawler.index.catch_up import rebuild as rebuild_index
from homing.errors import Damage
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
        damage = rebuild_index(folder, command=f"{COMMAND} --rebuild")
    else:
        damage = catch_up(folder, command=COMMAND, tell=tell)
    tell_damage(damage)
    pages = Search(folder).pages
    if as_json:
        print_json({"pages": pages})
    else:
        results().print(f"{pages:,} pages are indexed", markup=False)


def tell_damage(damage: Damage) -> None:
    """Announce pages that were left out because their records are damaged, if there are any."""
    if damage.count:
        errors().print(damage.line, markup=False, soft_wrap=True)


def tell(visits: int) -> None:
    """Announce an update that takes a while."""
    if visits >= 500:
        errors().print(f"reading {visits:,} visits from the archive into the index", markup=False)
