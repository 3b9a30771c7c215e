"""The page docs/results.md: tables, pictures, and the papers' claims put to the test.

python -m experiments.results_page runs/            # folders that `homing lab run` has written
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from experiments.claims import CLAIMS, Outcome, outcomes
from homing.lab.results import tables
from homing.lab.results.file import Results
from homing.lab.results.timings import Timings

DOCS = Path(__file__).parents[1] / "docs"
TITLES = {
    "wikispeedia": "Wikispeedia: subjects, one host, densely linked",
    "webkb": "Webkb: genres of pages on four department sites",
    "wikispeedia-curves": "Wikispeedia up to half of the reachable pages",
    "wikispeedia-variants": "Variants on wikispeedia",
    "wikispeedia-on-topic": "Wikispeedia from a seed on the topic",
    "wikispeedia-index": "Wikispeedia with the pages that list topics",
}
DOTS = {"auc-budget": "AUC to budget by strategy"}
CURVES = {"recall": "recall by pages fetched"}
COST = {"cost": "quality against cost"}
PICTURES = {
    "wikispeedia": DOTS | CURVES | COST,
    "webkb": DOTS | CURVES,
    "wikispeedia-curves": CURVES,
    "wikispeedia-variants": DOTS,
    "wikispeedia-on-topic": {},
    "wikispeedia-index": {},
}


def main(runs: Path) -> None:
    """Write the page from the experiments that were run."""
    folders = {name: runs / name for name in TITLES if (runs / name / "results.json").exists()}
    found = {name: Results.read(folder) for name, folder in folders.items()}
    timings = {name: Timings.read(folder) for name, folder in folders.items()}
    for name, folder in folders.items():
        for picture in PICTURES[name]:
            shutil.copy(folder / "pictures" / f"{picture}.svg", DOCS / f"results-{name}-{picture}.svg")
    (DOCS / "results.md").write_text("\n".join(_page(found, timings)) + "\n")


def _page(found: Mapping[str, Results], timings: Mapping[str, Timings]) -> Iterator[str]:
    yield """# The strategies compared, and the papers' claims

Written by `make results`: figures, tables and verdicts on this page are generated; only the explanations
are written by hand. The protocol: a unit is a topic on a web, drawn several times (`draws` below each
table), with eight example pages a draw (a third of the topic if it is small), which are all that judge and
strategies know of it. The truth is the labels that people gave, never the judge of the crawl. One page in
flight, a budget of 10 % of the reachable pages, links that lead out of the recording ignored. Trained
strategies are fitted on the crawl's own pages while it runs. The topics were chosen by a rule
(`experiments/protocol.py`) before any was run, and are not those on which the strategies were tuned and
debugged.

*AUC to budget* is the mean share of the targets found, over all pages up to the budget.
The *oracle* knows where all targets are; it is the limit, not a strategy. Intervals are 95 % bootstrap
intervals over topics. How to reproduce this page: [experiments/README.md](../experiments/README.md).
"""
    for name, results in found.items():
        yield f"## {TITLES[name]}\n"
        for picture, says in PICTURES[name].items():
            yield f"![{says}](results-{name}-{picture}.svg)\n"
        yield tables.summary_sheet(results, timings[name]).as_markdown()
    yield "## What the papers claim\n"
    yield from _claims(outcomes(CLAIMS, found))


def _claims(tested: list[Outcome]) -> Iterator[str]:
    for claim in CLAIMS:
        mine = [each for each in tested if each.claim is claim]
        if not mine:
            continue
        yield f"### {claim.paper}: {claim.says}\n"
        for outcome in mine:
            yield f"**{outcome.experiment}: {outcome.verdict}.** By {claim.by}:\n"
            for each in outcome.comparisons:
                interval = f" [{each.low:+.3f}, {each.high:+.3f}]" if each.low is not None else ""
                p = f", p = {each.p_holm:.3f}" if each.p_holm is not None else ""
                pair = f"{each.strategy} against {each.against}"
                yield f"- {pair}: {each.mean:+.3f}{interval}{p}: {each.verdict}"
            yield ""
        if claim.explanation:
            yield f"{claim.explanation}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
