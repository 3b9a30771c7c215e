"""How many pages does a CPU second give, against Scrapy, on the same pages over real HTTP?

Homing does a whole crawl: robots.txt, links with their context, the keyword judge, the link-context strategy,
WARC and catalog. The index and the default strategy are left out; ``search`` and ``adaptive`` measure their
cost. Scrapy only follows links. The CPU time of the whole process counts, start-up included, because the wall
clock depends on how many cores the server leaves free.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.crawls.command import HOMING, PAGES, measured, plain_pages
from benchmarks.report import Result


def run() -> list[Result]:
    with plain_pages() as start, tempfile.TemporaryDirectory() as folder:
        homing, homing_pages = measured(lambda: _crawl_with_homing(start, Path(folder)))
        scrapy, scrapy_pages = measured(lambda: _crawl_with_scrapy(start))
    ours, theirs = homing_pages / homing.cpu, scrapy_pages / scrapy.cpu
    return [
        Result("pages a CPU second, Homing (whole crawl)", f"{ours:.0f}"),
        Result("pages a CPU second, Scrapy (following links only)", f"{theirs:.0f}"),
        Result("  Homing to Scrapy", f"{ours / theirs:.1f} times", "≥ 4 times", ours / theirs >= 4),
        Result("CPU of a page, Homing", f"{1_000 / ours:.2f} ms"),
        Result("CPU of a page, Scrapy", f"{1_000 / theirs:.2f} ms"),
        Result("pages a second by the clock, Homing", f"{homing_pages / homing.wall:.0f}"),
        Result("pages a second by the clock, Scrapy", f"{scrapy_pages / scrapy.wall:.0f}"),
    ]


def _crawl_with_homing(start: str, folder: Path) -> int:
    command = [str(HOMING), "crawl", "science history music", start, "--pages", str(PAGES)]
    command += ["--delay", "0", "--allow-network", "127.0.0.0/8", "--out", str(folder / "crawl")]
    config = folder / "crawl.toml"
    config.write_text("[store]\nindex = false\n")
    command += ["--strategy", "link-context", "--config", str(config)]
    done = subprocess.run([*command, "--quiet", "--json"], check=True, capture_output=True)
    return int(json.loads(done.stdout)["fetched"])


def _crawl_with_scrapy(start: str) -> int:
    command = [sys.executable, "-m", "benchmarks.crawls.scrapy_spider", start, str(PAGES)]
    done = subprocess.run(command, check=True, capture_output=True)
    return int(done.stdout)
