"""Write the experiment files: topics, seeds and strategies, by rules fixed before any result.

    python -m experiments.protocol ../shared/data/webs

Topics of wikispeedia, from ``split.json``: every third development topic, to look for bugs; every second test
topic for the tables, and all of them for ``adaptive``; every sixth once, for curves to half of the web. The
seed is the first in ``topics.json`` that is not on the topic, in ``on-topic`` the first page that is;
``index`` includes the pages that list topics outright, which the others leave out. Webkb: ``project`` and
``staff`` for development, ``course`` and ``faculty`` for the tables, each from all five sets of seeds; the
units of one class are one cluster.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "lab"
ALL = [
    "oracle",
    "breadth-first",
    "random",
    "best-first",
    "link-context",
    "shark-search",
    "opic",
    "otie",
    "navigational-rank",
    "personalized-pagerank",
    "q-learning",
    "context-graph",
    "layered",
    "treasure",
    "hmm",
    "memm",
    "crf",
    "hybrid",
    "tunnelling",
]
VARIANTS = [
    "best-first",
    "memm",
    '{ name = "memm", decode = "viterbi" }',
    '{ name = "memm", features = "words" }',
    "crf",
    '{ name = "crf", decode = "viterbi" }',
    '{ name = "crf", features = "words" }',
    '{ name = "crf", mode = "paper" }',
    "navigational-rank",
    '{ name = "navigational-rank", variant = "paper" }',
    "treasure",
    '{ name = "treasure", aggregate = "min" }',
]
ADAPTIVE = ["oracle", "link-context", "adaptive", '{ name = "adaptive", learn = false }']
FROM_ON_TOPIC = ["oracle", "best-first", "context-graph", "treasure"]
WITH_INDEX = ["oracle", "breadth-first", "best-first", "link-context", "shark-search", "navigational-rank"]
INDEX_PAGES = ("*/wp/index/*",)
WEBKB = {"development": ("project", "staff"), "test": ("course", "faculty")}


def main(webs: Path) -> None:
    """Write all files."""
    wikispeedia = webs / "wikispeedia"
    split = json.loads((wikispeedia / "split.json").read_text())
    development, test = split["development"][::3], split["test"][::2]
    _write("wikispeedia-development", "wikispeedia", ALL, subjects(wikispeedia, development), draws=2)
    _write("wikispeedia", "wikispeedia", ALL, subjects(wikispeedia, test))
    _write("wikispeedia-variants", "wikispeedia", VARIANTS, subjects(wikispeedia, test), draws=2)
    few = subjects(wikispeedia, split["test"][::6])
    _write("wikispeedia-curves", "wikispeedia", ALL, few, draws=1, curve_to=0.50)
    on_topic = _from_their_first_page(wikispeedia, test)
    _write("wikispeedia-on-topic", "wikispeedia", FROM_ON_TOPIC, on_topic, draws=2)
    _write("wikispeedia-index", "wikispeedia", WITH_INDEX, subjects(wikispeedia, test), draws=1, exclude=())
    _write("wikispeedia-adaptive", "wikispeedia", ADAPTIVE, subjects(wikispeedia, split["test"]))
    sets = json.loads((webs / "webkb" / "topics.json").read_text())
    _write("webkb-development", "webkb", ALL, classes(sets, WEBKB["development"]), draws=2)
    _write("webkb", "webkb", ALL, classes(sets, WEBKB["test"]))
    _write("webkb-adaptive", "webkb", ADAPTIVE, classes(sets, WEBKB["test"]))


def _write(
    name: str,
    web: str,
    strategies: Sequence[str],
    topics: Iterable[str],
    *,
    draws: int = 5,
    curve_to: float = 0.10,
    exclude: Sequence[str] = INDEX_PAGES,
) -> None:
    left_out = (
        f"exclude = {json.dumps(exclude)}    # these pages list topics outright\n"
        if exclude and web == "wikispeedia"
        else ""
    )
    listed = "".join(f"    {each if each.startswith('{') else json.dumps(each)},\n" for each in strategies)
    (FOLDER / f"{name}.toml").write_text(
        f"# Written by experiments/protocol.py.\n"
        f'web = "webs/{web}"\n{left_out}'
        f"budget = 0.10\ncurve_to = {curve_to}\ndraws = {draws}\nexamples = 8\n"
        f'judge = "examples"\nfit = "self"\noutside = "ignore"\nstrategies = [\n{listed}]\n' + "".join(topics)
    )


def subjects(web: Path, labels: Iterable[str]) -> Iterable[str]:
    topics = json.loads((web / "topics.json").read_text())
    hops = {each["topic"]: each["hops"] for each in topics["topics"]}
    for label in labels:
        # A seed is on the topic if one of the topic's pages is no hop away from it.
        seeds = [url for name, url in topics["seeds"].items() if not _is_at_seed(hops[label].get(name, []))]
        yield f"\n[[topics]]\nlabel = {json.dumps(label)}\nseeds = [{json.dumps(seeds[0])}]\n"


def _from_their_first_page(web: Path, labels: Iterable[str]) -> Iterable[str]:
    """Seed each topic with its first page, in the order of recording, whose address is plain.

    Pages whose addresses were escaped twice in the recording have few links.
    """
    with lzma.open(web / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        recorded = [(page["url"], page["labels"]) for page in map(json.loads, lines)]
    for label in labels:
        below = f"{label}."
        seed = next(
            url
            for url, named in recorded
            if "%" not in url and any(each == label or each.startswith(below) for each in named)
        )
        yield f"\n[[topics]]\nlabel = {json.dumps(label)}\nseeds = [{json.dumps(seed)}]\n"


def _is_at_seed(hops: Sequence[Sequence[int]]) -> bool:
    return any(distance == 0 for distance, _ in hops)


def classes(sets: Sequence[dict[str, object]], classes: Iterable[str]) -> Iterable[str]:
    for label in classes:
        for each in sets:
            if each["topic"] == label:
                name = json.dumps(f"{label} from {each['seed_set']}")
                yield (
                    f'\n[[topics]]\nname = {name}\nlabel = "{label}"\ncluster = "{label}"\n'
                    f"seeds = {json.dumps(each['seeds'])}\n"
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
