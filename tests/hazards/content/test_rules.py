"""Patterns that explode, and code that comes from outside.

Expected: rules of the user are globs, matched in linear time like the patterns of a robots.txt. Nothing from
outside is unpickled, evaluated or executed; ruff's S rules look for more of that kind.
"""

import ast
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from homing.fetch.robots import Rules
from homing.scope import Scope

PATTERNS = ["*a*a*a*a*a*a*a*b", "*" * 50 + "b", "*?a*?a*?a*?a*b", "a" * 500 + "*b"]


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time, the least of several: the machine may be busy."""
    times = []
    for _ in range(5):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return min(times)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_glob_takes_ten_times_as_long_for_ten_times_the_text(pattern: str) -> None:
    scope = Scope(exclude=[f"http://{pattern}"])
    short, long = (f"http://{'a' * length}!" for length in (50_000, 500_000))
    assert scope.refusal(long, 1) == ""
    assert seconds(lambda: scope.refusal(long, 1)) < 30 * seconds(lambda: scope.refusal(short, 1)) + 0.01


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_of_a_robots_txt_does_too(pattern: str) -> None:
    rules = Rules(f"User-agent: *\nDisallow: /{pattern}$\n", "homing")
    short, long = (f"http://a.example/{'a' * length}!" for length in (50_000, 500_000))
    assert rules.allows(long)
    assert seconds(lambda: rules.allows(long)) < 30 * seconds(lambda: rules.allows(short)) + 0.01


FORBIDDEN = {"eval", "exec", "compile", "__import__"}
MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "code", "runpy"}
EXCEPT = {
    "checks/judge.py": "sends a judge through pickle and back, to see that it survives the way to a worker"
}


def test_nothing_from_outside_is_unpickled_evaluated_or_executed() -> None:
    found = []
    package = Path(__file__).parents[3] / "src" / "homing"
    for path in sorted(package.rglob("*.py")):
        if str(path.relative_to(package)) in EXCEPT:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN:
                    found.append(f"{path.name}:{node.lineno} {name}")
                case ast.Import(names=names) if MODULES & {alias.name.partition(".")[0] for alias in names}:
                    found.append(f"{path.name}:{node.lineno} import")
                case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in MODULES:
                    found.append(f"{path.name}:{node.lineno} import from {module}")
                case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
                    found.append(f"{path.name} allow_pickle")
    assert found == []
