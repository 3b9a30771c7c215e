"""``homing search``: full-text search, similar pages, or the text of one page."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, get_args

import typer
from rich.console import Console
from rich.text import Text

from homing.cli import options
from homing.cli.index import tell, tell_damage
from homing.cli.output import print_json, printable, results
from homing.cli.report import Folder
from homing.crawler.index.catch_up import catch_up
from homing.errors import LockedError, UsageError, did_you_mean
from homing.store.index import Filters, Hit, IndexedPage, Results, Search, Sort, marks_of, moment_of

FILTERS, INSTEAD = "Filters", "Instead of a query"
SORTS: tuple[Sort, ...] = get_args(Sort)


def search(
    folder: Folder,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY", show_default=False, help="The query.")
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Only this host and its subdomains.", rich_help_panel=FILTERS)
    ] = "",
    language: Annotated[
        str,
        typer.Option(metavar="CODE", help="Only pages in this language, e.g. en.", rich_help_panel=FILTERS),
    ] = "",
    score: Annotated[
        float | None,
        typer.Option(metavar="0..1", help="Minimum topic score.", rich_help_panel=FILTERS),
    ] = None,
    since: Annotated[
        str,
        typer.Option(
            metavar="DATE", help="Fetched on or after this day, e.g. 2026-05-31.", rich_help_panel=FILTERS
        ),
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="DATE", help="Fetched on or before this day.", rich_help_panel=FILTERS)
    ] = "",
    like: Annotated[
        str, typer.Option(metavar="URL", help="Pages similar to this one.", rich_help_panel=INSTEAD)
    ] = "",
    text: Annotated[
        str, typer.Option(metavar="URL", help="The archived text of this page.", rich_help_panel=INSTEAD)
    ] = "",
    sort: Annotated[
        str,
        typer.Option(metavar="|".join(SORTS), help="Order: best match, best topic score, or newest first."),
    ] = "query",
    limit: Annotated[int, typer.Option(metavar="N", help="Results per page.")] = 10,
    page: Annotated[int, typer.Option(metavar="N", help="Number of the page of results.")] = 1,
    as_json: options.AsJson = False,
) -> None:
    """Find pages of a crawl by their words, best first; pages on the topic rank a little higher.

    homing search DIR '"hawk moth" garden -wasps'

    A QUERY, best in single quotes, consists of

    - **butterfly garden**: both words, in any of their forms
    - **"butterfly garden"**: a phrase
    - **butterfly OR moth**: either of them
    - **garden -wasps**: without that word
    - **title:moths**, **host:example.org**, **language:de**: in the title, of a host, in a language
    """
    words = " ".join(query or ())
    if sum(map(bool, (words, like, text))) > 1:
        raise UsageError("QUERY, --like and --text exclude each other: use one of them")
    if sort not in SORTS:
        raise UsageError(f'--sort cannot be "{sort}"{did_you_mean(sort, SORTS)}')
    if limit < 1 or page < 1:
        raise UsageError(f"--{'limit' if limit < 1 else 'page'} must be 1 or more")
    filters = Filters(
        host=host,
        language=language,
        score=_share(score),
        since=moment_of(since, "--since"),
        until=moment_of(until, "--until", whole_day=True),
    )
    if like and filters != Filters():
        raise UsageError("--like searches all pages; leave out the filters")
    # A running crawl keeps the index up to date itself; where nothing can be written it stays as it is.
    if os.access(folder, os.W_OK):
        with suppress(LockedError):
            tell_damage(catch_up(folder, command="homing search", tell=tell))
    index, offset = Search(folder), (page - 1) * limit
    if text:
        _show_page(index.page_text(text), as_json=as_json)
    elif like:
        _show(index.similar(like, offset=offset, limit=limit), offset, as_json=as_json)
    else:
        found = index.search(words, filters, sort=sort, offset=offset, limit=limit)
        _show(found, offset, as_json=as_json)


def record(hit: Hit) -> dict[str, object]:
    """Return a result as JSON; the names are a contract."""
    text, marks = marks_of(hit.snippet)
    return {
        "url": hit.url,
        "title": hit.title,
        "snippet": text,
        "marks": marks,
        "score": hit.score,
        "topic_score": hit.topic_score,
        "language": hit.language,
        "fetched_at": _day(hit.fetched_at, precise=True),
    }


def _show(found: Results, offset: int, *, as_json: bool) -> None:
    if as_json:
        print_json({"total": found.total, "results": [record(hit) for hit in found.hits]})
        return
    console = results()
    if not found.hits:
        console.print("nothing found" if not found.total else f"there are only {found.total:,} results")
        return
    for number, hit in enumerate(found.hits, start=offset + 1):
        _show_hit(console, number, hit)
    last = offset + len(found.hits)
    more = f"; --page {last // len(found.hits) + 1} shows more" if last < found.total else ""
    console.print(Text(f"{offset + 1:,} to {last:,} of {found.total:,}{more}", style="dim"))


def _show_hit(console: Console, number: int, hit: Hit) -> None:
    title = printable(hit.title) or "(no title)"
    facts = f"topic {hit.topic_score:.2f}, {_day(hit.fetched_at)}" + (
        f", {hit.language}" * bool(hit.language)
    )
    console.print(Text.assemble(f"{number:>3}. ", (title, "bold underline"), ("  " + facts, "dim")))
    console.print(Text(f"     {printable(hit.url)}", style="green"))
    snippet = Text("     ")
    for piece, marked in hit.snippet:
        snippet.append(_spaced(piece), style="bold" if marked else "")
    console.print(snippet)


def _show_page(kept: IndexedPage, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "url": kept.url,
                "title": kept.title,
                "text": kept.text,
                "language": kept.language,
                "topic_score": kept.topic_score,
                "fetched_at": _day(kept.fetched_at, precise=True),
            }
        )
        return
    console = results()
    console.print(Text(printable(kept.title) or "(no title)", style="bold"))
    console.print(Text(f"{printable(kept.url)}, fetched {_day(kept.fetched_at)}", style="dim"))
    for line in kept.text.splitlines():
        console.print(Text(printable(line)))


def _spaced(piece: str) -> str:
    """Make a piece of a line safe for the terminal, keeping the blanks at its ends."""
    before, after = piece[:1].isspace(), piece[-1:].isspace()
    return f"{' ' * before}{printable(piece)}{' ' * (after and bool(piece.strip()))}"


def _day(seconds: float, *, precise: bool = False) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return (
        moment.isoformat(timespec="milliseconds").replace("+00:00", "Z") if precise else f"{moment:%Y-%m-%d}"
    )


def _share(score: float | None) -> float | None:
    if score is not None and not (math.isfinite(score) and 0 <= score <= 1):
        raise UsageError(f"--score must be from 0 to 1, not {score}")
    return score
