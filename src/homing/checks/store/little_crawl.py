"""Three URLs on two hosts, visits of them, and a ranking, for the checks."""

from __future__ import annotations

import numpy as np

from homing.model import Entry, Host, Judgement, Page, Priority, Ranking, Reply, Standing
from homing.ports import NewVisit, Store


def fill(store: Store) -> list[Entry]:
    """Add three URLs on two hosts: a seed and what it links to, with everything an entry can hold."""
    entries = [
        Entry(key=-(2**63), url="https://a.example/", priority=Priority(tier=1, score=-0.5), seq=0),
        Entry(
            key=2**63 - 1,
            url="https://b.example/1",
            priority=Priority(tier=-3, score=1e-9),
            memo=b"\x00\xff\x00",
            why=(("anchor", 0.5), ("blüte", 1e300)),
            depth=1,
            parent=0,
            anchor="Schmetterlinge 蝶 and a 'quote'",
            seq=1,
            hops=2,
        ),
        Entry(key=0, url="https://b.example/2", priority=Priority(), depth=1, parent=0, seq=2),
    ]
    store.add_hosts([Host(number=0, name="a.example"), Host(number=1, name="b.example")])
    store.add(entries, [0, 1, 1])
    return entries


def visit(
    store: Store,
    entry: Entry,
    *,
    step: int,
    status: int = 200,
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),),
    links: tuple[int, ...] = (),
    score: float | None = 0.75,
    standing: Standing = Standing.DONE,
) -> Reply:
    """Keep a reply of a URL; return it."""
    reply = Reply(
        url=entry.url,
        final_url=entry.url,
        status=status,
        headers=headers,
        body=f"<p>visit of {entry.url} at {step}</p>".encode() if status == 200 else b"",
        requested_at=1_700_000_000.0 + step,
        took=0.25,
    )
    page = (
        Page(url=entry.url, title=f"Page {entry.seq} \udce9", fingerprint=2**64 - 1)
        if status == 200
        else None
    )
    judgement = judgement_of(score) if page and score is not None else None
    store.keep(
        NewVisit(reply=reply, entry=entry, step=step, standing=standing, page=page, judgement=judgement)
    )
    store.link(entry.seq, links)
    return reply


def judgement_of(score: float) -> Judgement:
    """Return a judgement of that score."""
    return Judgement(score=score, relevant=score >= 0.5, judge="keywords", why=(("butterfly", score),))


def make_ranking() -> Ranking:
    """Return a ranking with parts, one of them missing for one URL."""
    return Ranking(
        keys=np.array([0, -(2**63)], dtype=np.int64),
        tiers=np.array([-1, 2], dtype=np.int32),
        scores=np.array([0.125, -7.0], dtype=np.float64),
        parts={"rank": np.array([0.5, np.nan]), "context": np.array([0.25, -7.0])},
    )


def check_ranking(ranking: Ranking | None) -> None:
    """Check that it is what ``make_ranking`` returned."""
    assert ranking is not None
    assert ranking.keys.tolist() == [0, -(2**63)]
    assert ranking.tiers.tolist() == [-1, 2]
    assert ranking.scores.tolist() == [0.125, -7.0]
    assert [ranking.why(row) for row in (0, 1)] == [(("rank", 0.5), ("context", 0.25)), (("context", -7.0),)]
