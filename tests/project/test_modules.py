"""Every module is tested: by a test module of its own name, or by one that is known to cover it."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "homing"
TEST_MODULES = sorted(TESTS.rglob("test_*.py"))


def does_something(path: Path) -> bool:
    """Whether a module has a function with statements: protocols, constants and plain records have none."""
    functions = (
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return any(not isinstance(line, ast.Expr) for function in functions for line in function.body)


MODULES = [
    path.relative_to(SOURCE).with_suffix("")
    for path in sorted(SOURCE.rglob("*.py"))
    if not path.stem.startswith("__") and does_something(path)
]

COVERED_BY = {
    "checks/store": "store/test_battery.py",
    "cli/crawl": "cli/crawl/test_run.py",
    "cli/index": "cli/test_search.py",
    "cli/lab/recorded_webs": "cli/training/test_fit.py",
    "cli/lab/report_experiment": "lab/test_verify.py",
    "cli/lab/run_experiment": "lab/test_verify.py",
    "cli/lab/serve_web": "cli/lab/test_import_web.py",
    "cli/options": "cli/crawl/test_run.py",
    "cli/serve": "serve/test_serve_command.py",
    "config": "config/test_config.py",
    "conversion": "test_registry.py",
    "crawler/assembly": "crawler/test_outcomes.py",
    "crawler/checkpoint": "crawler/test_resume.py",
    "crawler/clock": "crawler/test_progress.py",
    "crawler/first_strategy": "crawler/test_opening.py",
    "crawler/index/thread": "crawler/test_crawl.py",
    "crawler/live/block": "crawler/live/test_commands.py",
    "crawler/live/freshness": "crawler/live/test_refresh.py",
    "crawler/live/inbox": "crawler/live/test_commands.py",
    "crawler/live/rescoring": "crawler/live/test_relearn.py",
    "crawler/log": "crawler/test_crawl.py",
    "crawler/finished/ranked": "cli/export/test_ranked.py",
    "crawler/requests": "crawler/test_progress.py",
    "crawler/traps/reopening": "crawler/traps/test_detector.py",
    "crawler/traps/sitemap_quota": "crawler/test_outcomes.py",
    "crawler/view": "crawler/test_resume.py",
    "demo/web": "demo/web/test_little_web.py",
    "frontier": "frontier/test_order.py",
    "lab/archives": "lab/archives/test_sources.py",
    "lab/experiment": "lab/test_verify.py",
    "lab/pictures": "lab/test_pictures.py",
    "lab/results": "lab/results/test_tables.py",
    "lab/runs": "lab/test_verify.py",
    "lab/stopwatch": "lab/test_replay.py",
    "lab/web": "lab/web/test_recording.py",
    "lab/web/request_head": "lab/web/test_server.py",
    "lab/web/serving": "lab/web/test_server.py",
    "model": "frontier/test_order.py",
    "parameters": "test_registry.py",
    "serve/app": "serve/pages/test_browse.py",
    "serve/crawl": "serve/pages/test_start.py",
    "serve/pages/templating": "serve/pages/test_browse.py",
    "ports/storage": "store/test_battery.py",
    "steps": "crawler/live/test_relearn.py",
    "store/archive/http": "store/views/test_reader.py",
    "store/archive/mend": "store/test_crash.py",
    "store/catalog": "store/test_battery.py",
    "store/index": "store/index/test_search.py",
    "store/index/dates": "cli/test_search.py",
    "store/memory": "store/test_battery.py",
    "store/views/backlinks": "cli/training/test_fit.py",
    "store/views/base": "store/views/test_reader.py",
    "store/views/explaining": "cli/test_explain.py",
    "store/views/histories": "crawler/live/test_refresh.py",
    "store/views/page_row": "store/views/test_browsing.py",
    "store/views/visit_log": "cli/test_explain.py",
    "topic/crawled_pages": "topic/test_training_pages.py",
    "topic/training_graph": "cli/training/test_fit.py",
    "trails/edges": "trails/test_growth.py",
}
"""Modules that are tested by way of those that use them, and packages of such modules; by which test."""


@cache
def mentions(test: Path) -> list[Path]:
    """The modules that a test module says it covers: what stands in double back quotes in its docstring."""
    docstring = ast.get_docstring(ast.parse(test.read_text())) or ""
    return [Path(name.replace(".", "/")) for name in re.findall(r"``([\w./]+)``", docstring)]


def says_so(test: Path, module: Path) -> bool:
    """Whether a test module names a module: by its end, from its own folder or one above."""
    folder = test.parent.relative_to(TESTS)
    for mention in mentions(test):
        is_it = module.parts[-len(mention.parts) :] == mention.parts
        if is_it and (module.is_relative_to(folder) or len(mention.parts) > 1 or len(module.parts) == 1):
            return True
    return False


def row_of(module: Path) -> str | None:
    """The row of the table that a module is in: its own, or that of its package."""
    return next((str(each) for each in (module, *module.parents) if str(each) in COVERED_BY), None)


def is_named(module: Path) -> bool:
    own = TESTS / module.parent / f"test_{module.name}.py"
    return own.exists() or any(says_so(test, module) for test in TEST_MODULES)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_every_module_has_a_test_that_says_so(module: Path) -> None:
    assert is_named(module) or row_of(module), f"{module} has no test"


@pytest.mark.parametrize("row", COVERED_BY)
def test_the_table_names_tests_and_modules_that_exist(row: str) -> None:
    assert (TESTS / COVERED_BY[row]).exists()
    mine = [module for module in MODULES if row_of(module) == row and not is_named(module)]
    assert mine, f"{row}: every module in it has a test that says so"
