"""How long does a search take over a hundred thousand pages, and what does the index cost a crawl?

The pages are made up: words drawn by Zipf's law from fifty thousand English ones, some 700 a page as on the
web, on a thousand hosts. They are indexed by the writer of a crawl and searched as by ``homing search``,
snippets included. Then pages are crawled over real HTTP with and without an index.
"""

import json
import math
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from wordfreq import top_n_list

from benchmarks.crawls.command import HOMING, measured, plain_pages
from benchmarks.report import Result
from homing.store.catalog.schema import create
from homing.store.folder import Layout
from homing.store.index import Filters, IndexedPage, Search, Writer
from homing.text.words import stop_words

PAGES = 100_000
QUERIES = 600
CRAWLED = 3_000
ROUNDS = 3
"""Repetitions of each of the two crawls; the best counts, because others use the machine too."""


def run() -> list[Result]:
    return [*_searching(PAGES), *_crawling()]


# -- searching


def _searching(pages: int) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder)
        create(Layout(crawl).database)
        began = time.process_time()
        vocabulary = _fill(crawl, pages)
        spent = (time.process_time() - began - vocabulary.drawing) / pages
        size = sum(path.stat().st_size for path in Layout(crawl).index.iterdir()) / pages
        times = _times(Search(crawl), vocabulary)
    wall, cpu = (
        _percentile([taken[clock] for sort in times.values() for taken in sort], 95) for clock in (0, 1)
    )
    return [
        Result(f"a search of {pages:,} pages, 95 of 100 within", f"{wall:.1f} ms", "≤ 50 ms", wall <= 50),
        Result("  CPU of it", f"{cpu:.1f} ms"),
        *(Result(f"  CPU of {name}, 95 of 100 within", _slow_cpu(taken)) for name, taken in times.items()),
        Result("CPU to index a page of 700 words", f"{spent * 1_000:.2f} ms"),
        Result("index on disk, a page", f"{size / 1_000:.1f} KB"),
    ]


def _slow_cpu(taken: list[tuple[float, float]]) -> str:
    return f"{_percentile([cpu for _, cpu in taken], 95):.1f} ms"


class Vocabulary:
    """Source of the words of pages, and the time that drawing them took."""

    def __init__(self) -> None:
        self.words = [word for word in top_n_list("en", 50_000) if word.isalpha()]
        shares = 1 / (np.arange(len(self.words)) + 10)
        self._sums = np.cumsum(shares / shares.sum())
        self._dice = np.random.default_rng(1)
        self.drawing = 0.0
        self.phrases: list[str] = []
        self.urls: list[str] = []

    def text(self, length: int) -> str:
        began = time.process_time()
        picks = np.searchsorted(self._sums[:-1], self._dice.random(length))
        text = " ".join([self.words[pick] for pick in picks.tolist()])
        self.drawing += time.process_time() - began
        return text

    def length(self) -> int:
        return int(min(self._dice.lognormal(math.log(450), 0.95), 20_000)) + 1


def _fill(crawl: Path, pages: int) -> Vocabulary:
    vocabulary = Vocabulary()
    with Writer(Layout(crawl).index, command="benchmark") as writer:
        for number in range(pages):
            text = vocabulary.text(vocabulary.length())
            if number % (pages // 100) == 0:
                vocabulary.phrases.append(_phrase(text))
                vocabulary.urls.append(_url(number))
            kept = IndexedPage(
                url=_url(number),
                title=vocabulary.text(6),
                text=text,
                language="en",
                topic_score=(number * 7919 % 1000) / 1000,
                fetched_at=1_700_000_000.0 + number,
            )
            writer.put(number, kept, [vocabulary.text(3)])
            if number % 2_500 == 0:  # as often as a crawl of 250 pages a second
                writer.commit(number)
        writer.commit(pages)
        writer.tidy()
    return vocabulary


def _phrase(text: str) -> str:
    """Return two adjacent words that are no stop words."""
    telling = [word not in stop_words("en") for word in text.split()]
    place = next((i for i, pair in enumerate(pairwise(telling)) if all(pair)), 0)
    return " ".join(text.split()[place : place + 2]) + " garden" * (not any(telling))


def _url(number: int) -> str:
    return f"https://www.site{number % 1_000}.example/pages/{number}"


def _times(search: Search, vocabulary: Vocabulary) -> dict[str, list[tuple[float, float]]]:
    """Return milliseconds by the wall clock, which users notice, and of CPU, whatever else runs."""
    times: dict[str, list[tuple[float, float]]] = {}
    for name, ask in _mix(search, vocabulary):
        wall, cpu = time.perf_counter(), time.process_time()
        ask()
        taken = (time.perf_counter() - wall) * 1_000, (time.process_time() - cpu) * 1_000
        times.setdefault(name, []).append(taken)
    return times


def _mix(search: Search, vocabulary: Vocabulary) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield queries as users send them, each kind in turn."""
    dice = random.Random(1)
    all_words = [word for word in vocabulary.words[200:20_000] if word not in stop_words("en")]
    common = all_words[:2_500]
    for number in range(QUERIES // 10):
        one, two, three = dice.choice(common), dice.choice(common), dice.choice(all_words)
        phrase, url = vocabulary.phrases[number % 100], vocabulary.urls[number % 100]
        host = Filters(host=f"site{dice.randrange(1_000)}.example")
        good = Filters(score=0.5, since=1_700_000_000.0 + PAGES / 4)
        ask = search.search
        yield "a common word", partial(ask, one)
        yield "any word", partial(ask, three)
        yield "two words", partial(ask, f"{one} {two}")
        yield "one of three", partial(ask, f"{one} OR {two} OR {three}")
        yield "a phrase", partial(ask, f'"{phrase}"')
        yield "without a word", partial(ask, f"{one} -{two}")
        yield "on a host", partial(ask, one, host)
        yield "good and new ones", partial(ask, one, good, sort="topic")
        yield "the tenth page", partial(ask, one, sort="date", offset=90)
        yield "pages alike", partial(search.similar, url)


def _percentile(values: list[float], share: float) -> float:
    return float(np.percentile(values, share))


# -- crawling


def _crawling() -> list[Result]:
    costs: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for indexed in costs:
            with plain_pages() as start, tempfile.TemporaryDirectory() as folder:
                cost, pages = measured(partial(_crawl, start, Path(folder), indexed))
            costs[indexed].append(cost.cpu / pages * 1_000)
    without, with_index = min(costs[False]), min(costs[True])
    share = 1 - without / with_index
    return [
        Result("CPU of a crawled page without an index", f"{without:.2f} ms"),
        Result("  with it", f"{with_index:.2f} ms, {with_index / without:.2f} times"),
        Result("  of the crawl's speed", f"{share:.0%} less", "≤ 25 % less", share <= 0.25),
    ]


def _crawl(start: str, folder: Path, indexed: bool) -> int:
    config = folder / "crawl.toml"
    config.write_text(f"[store]\nindex = {str(indexed).lower()}\n")
    command = [str(HOMING), "crawl", "science history music", start, "--pages", str(CRAWLED)]
    command += ["--delay", "0", "--allow-network", "127.0.0.0/8", "--config", str(config)]
    command += ["--out", str(folder / "crawl"), "--quiet", "--json"]
    done = subprocess.run(command, check=True, capture_output=True)
    return int(json.loads(done.stdout)["fetched"])
