"""What the papers claim, and whether it came out so.

A claim is a list of comparisons, each "this strategy has more of that measure than the other on that web". It
holds if all of them are better, does not if one is worse, and is undecided where an interval includes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from homing.lab.compare import Comparison, compare
from homing.lab.results import Results

Verdict = Literal["holds", "does not hold", "undecided", "reported, not tested"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence of a paper as comparisons, and what we make of the outcome."""

    paper: str
    says: str
    pairs: tuple[tuple[str, str], ...]
    """The first is claimed to be better than the second."""
    by: str = "auc_budget"
    experiments: tuple[str, ...] = ("wikispeedia", "webkb")
    explanation: str = ""
    """Ours; written after the results were seen, and the only typed words of the page."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a claim on one web."""

    claim: Claim
    experiment: str
    comparisons: Sequence[Comparison]

    @property
    def verdict(self) -> Verdict:
        verdicts = {each.verdict for each in self.comparisons}
        if "not tested" in verdicts:
            return "reported, not tested"
        if verdicts == {"better"}:
            return "holds"
        return "does not hold" if "worse" in verdicts else "undecided"


def outcomes(claims: Sequence[Claim], found: Mapping[str, Results]) -> list[Outcome]:
    """Every claim put to the test in the experiments that have what it speaks of."""
    tested: list[Outcome] = []
    for claim in claims:
        for name in claim.experiments:
            results = found.get(name)
            if results is None:
                continue
            compared = compare(results.rows, claim.pairs, by=claim.by, clusters=results.clusters)
            tested.append(Outcome(claim=claim, experiment=name, comparisons=compared))
    return tested


def _each(strategy: str, *others: str) -> tuple[tuple[str, str], ...]:
    return tuple((strategy, other) for other in others)


_VARIANTS = ("wikispeedia-variants",)

CLAIMS = (
    Claim(
        paper="NR",
        says="navigational-rank finds more than personalized-pagerank, q-learning, context-graph and "
        "breadth-first where targets are rare and far away",
        pairs=_each(
            "navigational-rank", "personalized-pagerank", "q-learning", "context-graph", "breadth-first"
        ),
    ),
    Claim(
        paper="OTIE", says="otie is best on target recall", pairs=_each("otie", "link-context"), by="recall"
    ),
    Claim(
        paper="OTIE",
        says="link-context is best on harvest",
        pairs=_each("link-context", "otie", "opic", "breadth-first"),
        by="harvest",
    ),
    Claim(
        paper="OTIE",
        says="otie and link-context find more than opic and breadth-first",
        pairs=(*_each("otie", "opic", "breadth-first"), *_each("link-context", "opic", "breadth-first")),
        by="recall",
    ),
    Claim(
        paper="TC",
        says="treasure finds 14 % (generic seeds) to 22 % (on-topic seeds) more than context-graph",
        pairs=_each("treasure", "context-graph"),
        by="recall",
    ),
    Claim(
        paper="PM",
        says="crf and memm by marginals find more than their Viterbi variants",
        pairs=(("crf", "crf decode=viterbi"), ("memm", "memm decode=viterbi")),
        experiments=_VARIANTS,
    ),
    Claim(
        paper="PM",
        says="crf and memm find more than best-first",
        pairs=(("crf", "best-first"), ("memm", "best-first")),
    ),
    Claim(paper="PM", says="crf finds more than memm", pairs=(("crf", "memm"),)),
    Claim(
        paper="PM",
        says="crf has a higher precision relative to best-first (APR) than hmm, context-graph",
        pairs=_each("crf", "hmm", "context-graph"),
        by="apr",
    ),
    Claim(
        paper="PM",
        says="word features alone do as well as all features (no difference either way)",
        pairs=(("crf", "crf features=words"), ("memm", "memm features=words")),
        experiments=_VARIANTS,
    ),
    Claim(
        paper="HW",
        says="layered finds more than context-graph, and context-graph more than breadth-first",
        pairs=(("layered", "context-graph"), ("context-graph", "breadth-first")),
    ),
)
