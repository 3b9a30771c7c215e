"""``homing taxonomy``: lexicons of subjects by decimal number, for the judge ``decimal``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypedDict

import typer
from rich.table import Table
from rich.text import Text

from homing.cli import options
from homing.cli.options import AsJson
from homing.cli.output import errors, print_json, printable, results
from homing.errors import HomingError, UsageError
from homing.parse import PageParser
from homing.taxonomy import Lexicon, Subject, Taxonomy, load, page_text, starter
from homing.taxonomy.learner import TERMS, Learner
from homing.topic.sources import Sample, Sources

_TERMS_SHOWN = 6

app = options.group("Lexicons of subjects by decimal number, for the judge decimal.")

Language = Annotated[str, typer.Option(metavar="CODE", help="The language of the words, e.g. en or de.")]


class Row(TypedDict):
    """One subject as JSON."""

    code: str
    label: str
    part_of: list[str]
    """Labels of the broader subjects, broadest first."""
    terms: list[str]


class Learned(TypedDict):
    """The result of ``homing taxonomy learn`` as JSON."""

    out: str
    pages: int
    subjects: list[Row]


@app.command()
def learn(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SRC",
            help="A folder whose sub-folders are the labels, or a JSONL file (.gz, .xz, .zst) with labels.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The CSV file to write.", show_default=False)],
    terms: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum terms per subject.")] = TERMS,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Learn a lexicon (code, label, terms) from labelled pages.

    Labels with levels, such as science.biology or folders in folders, become the digits of a number in that
    order; a level with more than ten labels gets two digits.
    """
    learner = Learner(language)
    with errors().status("reading pages"):
        for sample, labels in _labelled(source):
            learner.add(labels, page_text(sample.page))
    if not learner.pages:
        raise UsageError(f"{source} holds no labelled pages: put them into sub-folders, or give them labels")
    taxonomy = learner.taxonomy(terms=terms)
    taxonomy.save(out)
    rows = [_row(taxonomy, subject) for subject in taxonomy.subjects]
    if as_json:
        print_json(Learned(out=str(out), pages=learner.pages, subjects=rows))
        return
    _show(rows)
    done = f"{len(rows):,} subjects from {learner.pages:,} pages written to {out}"
    errors().print(done, markup=False, soft_wrap=True)


@app.command()
def find(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]", help="Words to look up, or a code.", show_default=False),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--taxonomy",
            metavar="FILE",
            help="A CSV or TSV file: code, label, terms.",
            show_default="built in",
        ),
    ] = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Find the codes of words, the subjects of a code, or without arguments the broadest subjects.

    A crawl takes the codes with --code, or as [topic] codes in its configuration.
    """
    taxonomy = load(table) if table else starter()
    query = " ".join(words or ())
    found = _found(taxonomy, query, language)
    if not found:
        raise HomingError(
            f'{taxonomy.name} has no subject for "{query}"; try other words, or none to see what it has'
        )
    rows = [_row(taxonomy, subject) for subject in found]
    if as_json:
        print_json(rows)
    else:
        _show(rows)


def _labelled(source: str) -> Iterator[tuple[Sample, tuple[str, ...]]]:
    """Yield the pages of a source with their labels: their own, or those of their folders."""
    sources = Sources(PageParser())
    for sample in sources.read(source):
        labels = sample.record.labels
        if not labels and Path(source).is_dir():
            folder = Path(sample.source).parent.relative_to(source)
            labels = (folder.as_posix(),) if folder.parts else ()
        yield sample, labels
    sources.check()


def _found(taxonomy: Taxonomy, query: str, language: str) -> list[Subject]:
    """Return the subjects that match a query."""
    if not query.strip():
        shortest = min(len(subject.key) for subject in taxonomy.subjects)
        return [subject for subject in taxonomy.subjects if len(subject.key) == shortest]
    if query[0].isdigit():
        [key] = taxonomy.keys([query])
        return [subject for subject in taxonomy.subjects if subject.key.startswith(key)]
    terms = Lexicon(taxonomy, language).find(query)
    keys = {place.key for term in terms for place in term.places}
    return [subject for subject in taxonomy.subjects if subject.key in keys]


def _row(taxonomy: Taxonomy, subject: Subject) -> Row:
    above = [taxonomy.get(subject.key[:end]) for end in range(1, len(subject.key))]
    return Row(
        code=subject.code,
        label=subject.label,
        part_of=[each.label for each in above if each],
        terms=list(subject.terms),
    )


def _show(rows: Sequence[Row]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("code", style="bold")
    table.add_column("subject")
    table.add_column("terms", style="dim")
    for row in rows:
        label = " › ".join((*row["part_of"], row["label"]))
        more = ", …" if len(row["terms"]) > _TERMS_SHOWN else ""
        terms = ", ".join(row["terms"][:_TERMS_SHOWN]) + more
        table.add_row(Text(printable(row["code"])), Text(printable(label)), Text(printable(terms)))
    results().print(table)
