"""How many pages a second does the lab replay on one core?

The little web is recorded and replayed by cheap strategies: once with a judge that sees every page for the
first time, and once more with the same judge, which all but the first strategy of a unit have.
"""

import tempfile
from pathlib import Path

from benchmarks.report import Result
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_records import TARGET, records_of
from homing.judge import Brief
from homing.judge.examples import Examples
from homing.lab.crawl import crawl
from homing.lab.replay import Remembering
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import record
from homing.strategies import STRATEGIES

CHEAP = ("breadth-first", "best-first", "link-context", "shark-search", "otie", "navigational-rank")
PAGES = 1_000
BAR = 500


def run() -> list[Result]:
    little = LittleWeb(1)
    with tempfile.TemporaryDirectory() as folder:
        record(records_of(little), Path(folder) / "little")
        with RecordedWeb(Path(folder) / "little") as web:
            brief = Brief(examples=tuple(map(web.page, web.labelled(TARGET)[:8])))
            return [_result(name, *_measure(name, web, brief, little.seeds)) for name in CHEAP]


def _measure(name: str, web: RecordedWeb, brief: Brief, seeds: tuple[str, ...]) -> tuple[float, float]:
    """Return pages a CPU second, with a judge that must read every page and with one that has."""
    judge = Remembering(Examples(brief))
    first = crawl(web, STRATEGIES.get(name)(), judge, seeds, pages=PAGES)
    again = crawl(web, STRATEGIES.get(name)(), judge, seeds, pages=PAGES)
    return len(first.urls) / first.seconds, len(again.urls) / again.seconds


def _result(name: str, first: float, again: float) -> Result:
    figure = f"{first:.0f} /s, judged before {again:.0f} /s"
    return Result(f"{name}: pages replayed a CPU second", figure, f"≥ {BAR} /s", min(first, again) >= BAR)
