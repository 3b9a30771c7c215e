"""What a store promises of the link graph: ``ports.GraphStore``."""

from __future__ import annotations

from homing.checks.store.little_crawl import fill, visit
from homing.ports import Store


def _links_and_scores_are_those_of_the_last_visit(store: Store) -> None:
    entries = fill(store)
    visit(store, entries[2], step=1, links=(0, 1, 0), score=0.2)
    visit(store, entries[0], step=2, links=(2,), score=0.7)
    visit(store, entries[1], step=3, links=(), score=None)
    sources, targets = store.links()
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(0, 2), (2, 0), (2, 1), (2, 0)]
    seqs, scores = store.judged()
    assert dict(zip(seqs.tolist(), scores.tolist(), strict=True)) == {0: 0.7, 2: 0.2}
    visit(store, entries[2], step=4, links=(1,), score=0.9)
    assert store.links()[1].tolist() == [2, 1]
    assert [list(store.targets(seq)) for seq in (2, 0, 1)] == [[1], [2], []]
    assert dict(zip(*(array.tolist() for array in store.judged()), strict=True)) == {0: 0.7, 2: 0.9}


CHECKS = (_links_and_scores_are_those_of_the_last_visit,)
