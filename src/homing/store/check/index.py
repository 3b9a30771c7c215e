"""The documents of the full-text index with the pages of the catalog."""

from __future__ import annotations

from homing.errors import DamagedError
from homing.store.check.finding import Checked, Finding, Findings
from homing.store.index import Documents, held, is_being_written

# What crawler/index/catch_up.py takes in.
_PAGES = """
    SELECT v.id, v.seq, u.url FROM visits v CROSS JOIN urls u ON u.seq = v.seq AND u.visit = v.id
    WHERE v.id > ? AND v.kind = 'page' AND v.status BETWEEN 200 AND 299 AND v.warc_file IS NOT NULL
        AND NOT v.noindex ORDER BY v.id LIMIT ?
"""
# Written off and not fetched since: they can still be found.
_QUEUED_AGAIN = """
    SELECT u.seq FROM urls u
    WHERE u.seq IN (SELECT seq FROM visits WHERE kind = 'lost') AND u.visit IS NULL
"""
_LAST = "SELECT coalesce(max(id), 0) FROM visits"


def check_index(checked: Checked) -> Findings:
    """Look up every page in the index, and count its documents."""
    folder = checked.layout.index
    taken_in = held(folder)
    if taken_in is None:
        if any(folder.glob("*.json")) and not is_being_written(folder):
            yield Finding(part="index", place=str(folder), problem="it cannot be read, and has to be rebuilt")
        return
    try:
        with Documents(folder) as documents:
            yield from _compare(checked, documents, taken_in)
    except DamagedError as error:
        yield Finding(part="index", place=str(folder), problem=str(error))


def _compare(checked: Checked, documents: Documents, taken_in: int) -> Findings:
    place = str(checked.layout.index)
    ((last,),) = checked.rows(_LAST)
    if taken_in > last:
        ahead = f"it knows {taken_in - last:,} visits that the catalog does not have"
        yield Finding(part="index", place=place, problem=ahead)
    found = 0
    for visit, seq, url in checked.portions(_PAGES):
        document = documents.of(seq)
        found += document is not None
        if document is None and visit <= taken_in and visit not in checked.damaged:
            yield Finding(part="index", place=place, problem="it lacks a page", url=url)
        elif document is not None and document.url != url:
            yield Finding(
                part="index", place=place, problem=f"it has {document.url} in place of a page", url=url
            )
    found += sum(documents.of(seq) is not None for (seq,) in checked.rows(_QUEUED_AGAIN))
    checked.read["documents"] = documents.count
    # While it follows the catalog, pages that are gone since may still be in it.
    if taken_in == last and documents.count > found:
        many = f"it has {documents.count - found:,} documents that are no pages of the crawl"
        yield Finding(part="index", place=place, problem=many)
