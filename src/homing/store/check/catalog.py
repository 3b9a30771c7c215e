"""The rows of ``crawl.db`` among themselves."""

from __future__ import annotations

from homing import urls
from homing.store.catalog.rows import unpack_seqs
from homing.store.check.finding import Checked, Finding, Findings

_ORPHANS = {
    "a visit of a URL that is not known": (
        "SELECT 'visit ' || id FROM visits v LEFT JOIN urls u USING (seq) WHERE u.seq IS NULL"
    ),
    "a URL that points at a visit which is not its own": (
        "SELECT u.url FROM urls u LEFT JOIN visits v ON v.id = u.visit"
        " WHERE u.visit IS NOT NULL AND v.seq IS NOT u.seq"
    ),
    "a URL found on a page that is not known": (
        "SELECT u.url FROM urls u LEFT JOIN urls p ON p.seq = u.parent"
        " WHERE u.parent IS NOT NULL AND p.seq IS NULL"
    ),
    "a URL of a host that is not known": (
        "SELECT u.url FROM urls u LEFT JOIN hosts h ON h.number = u.host WHERE h.number IS NULL"
    ),
    "a failure of a URL that is not known": (
        "SELECT 'failure ' || id FROM failures f LEFT JOIN urls u USING (seq) WHERE u.seq IS NULL"
    ),
    "a label of a URL that is not known": (
        "SELECT 'URL ' || l.seq FROM labels l LEFT JOIN urls u USING (seq) WHERE u.seq IS NULL"
    ),
    "reasons that cannot be read": (
        "SELECT 'visit ' || id FROM visits WHERE NOT (json_valid(coalesce(why, '[]'))"
        " AND json_valid(coalesce(priority_why, '[]')))"
        " UNION ALL SELECT url FROM urls WHERE NOT json_valid(coalesce(why, '[]'))"
    ),
    "a fact that cannot be read": "SELECT 'fact ' || name FROM facts WHERE NOT json_valid(value)",
}
_URLS = "SELECT seq, key, url FROM urls WHERE seq > ? ORDER BY seq LIMIT ?"
_LINKS = "SELECT seq, targets FROM links WHERE seq > ? ORDER BY seq LIMIT ?"


def check_catalog(checked: Checked) -> Findings:
    """Read every row, and follow what it points at within the catalog."""
    database = str(checked.layout.database)
    broken = [" ".join(str(line).split()) for (line,) in checked.rows("PRAGMA quick_check(20)")]
    if broken != ["ok"]:
        # Rows of a broken database may be anything; to name them one by one would say nothing.
        yield from (Finding(part="catalog", place=database, problem=line) for line in broken)
        return
    for problem, query in _ORPHANS.items():
        for (what,) in checked.rows(query):
            yield Finding(part="catalog", place=f"{database}, {what}", problem=problem)
    known = 0
    for seq, key, url in checked.portions(_URLS):
        if seq != known:
            lost = f"the URLs from number {known} to {seq - 1} are lost"
            yield Finding(part="catalog", place=database, problem=lost)
        known = seq + 1
        if urls.key(url) != key:
            place = f"{database}, URL {seq}"
            yield Finding(part="catalog", place=place, problem="its key is that of another URL", url=url)
    checked.read["urls"] = known
    for seq, packed in checked.portions(_LINKS):
        if len(packed) % 4 or seq >= known or unpack_seqs(packed).max(initial=0) >= known:
            yield Finding(
                part="catalog",
                place=f"{database}, links of URL {seq}",
                problem="they lead to URLs that are not known",
            )
