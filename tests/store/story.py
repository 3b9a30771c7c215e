"""Small crawls, written to a catalog, for the tests of the store."""

from __future__ import annotations

from collections.abc import Callable

from homing.model import Entry, Host, Judgement, Page, Priority, Reply, Standing
from homing.ports import NewVisit
from homing.store.catalog.catalog import Catalog
from homing.urls import key

Open = Callable[..., Catalog]


class Story:
    """Writes small crawls: a seed on one host, pages found on it, visits with bodies of their own."""

    def seed(self, catalog: Catalog, pages: int = 0) -> list[Entry]:
        """A seed and some pages that it links to."""
        catalog.add_hosts([Host(number=0, name="a.example")])
        entries = [self.entry(0, parent=None)] + [self.entry(seq) for seq in range(1, pages + 1)]
        catalog.add(entries, [0] * len(entries))
        return entries

    def entry(self, seq: int, parent: int | None = 0) -> Entry:
        url = f"https://a.example/{seq}"
        return Entry(
            key=key(url),
            url=url,
            priority=Priority(score=1 / (seq + 1)),
            why=(("anchor", 1 / (seq + 1)),),
            depth=0 if parent is None else 1,
            parent=parent,
            anchor=f"link {seq}",
            seq=seq,
        )

    def reply(self, entry: Entry, *, body: bytes | None = None, status: int = 200, **other: object) -> Reply:
        values: dict[str, object] = {
            "url": entry.url,
            "final_url": entry.url,
            "status": status,
            "headers": (("Content-Type", "text/html"), ("Server", "test")),
            "body": f"<title>{entry.url}</title>".encode() * 20 if body is None else body,
            "requested_at": 1_700_000_000.25,
            "took": 0.125,
            "request": (("Host", "a.example"), ("User-Agent", "homing")),
            "address": "192.0.2.7",
        }
        return Reply(**(values | other))  # type: ignore[arg-type]

    def visit(
        self,
        catalog: Catalog,
        entry: Entry,
        *,
        step: int,
        score: float | None = 0.75,
        links: tuple[int, ...] = (),
        standing: Standing = Standing.DONE,
        reply: Reply | None = None,
    ) -> Reply:
        reply = reply or self.reply(entry)
        judgement = None
        if score is not None:
            judgement = Judgement(
                score=score, relevant=score >= 0.5, judge="keywords", why=(("moth", score),)
            )
        page = Page(url=entry.url, title=f"Title {entry.seq}", language="en")
        catalog.keep(
            NewVisit(reply=reply, entry=entry, step=step, standing=standing, page=page, judgement=judgement)
        )
        catalog.link(entry.seq, links)
        return reply
