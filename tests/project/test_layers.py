"""Who may import whom: down only, never sideways, never up."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "homing"

LAYERS = [
    {"model", "ports", "steps", "errors", "urls", "scope", "text", "taxonomy", "trails"}
    | {"registry", "parameters", "conversion", "extras", "files", "bounded"}
    | {"header_values", "processes"}
    | {"key_table", "columns", "records", "modelfile"},
    {"config"},
    {"fetch", "parse", "judge", "strategies", "frontier", "store"},
    {"topic"},
    {"crawler"},
    {"api", "lab", "checks"},
    {"serve", "demo"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem in LEVEL)


def imports(path: Path) -> list[tuple[str, bool]]:
    """Modules of Homing that a file imports, and whether inside a function."""
    tree = ast.parse(path.read_text())
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            package = node.module
            names = [f"homing.{alias.name}" for alias in node.names] if package == "homing" else [package]
        else:
            continue
        found += [(name, id(node) in inside) for name in names if name.startswith("homing.")]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_layers_below(path: Path) -> None:
    mine = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    for name, in_function in imports(path):
        theirs = name.split(".")[1]
        below = LEVEL[theirs] < LEVEL[mine] or (LEVEL[mine] == 0 and LEVEL[theirs] == 0)
        assert theirs == mine or below, f"{path.name} imports {name}"
        # The commands alone: their help must not load what only running them needs.
        assert not in_function or mine == "cli", f"{path.name} imports {name} inside a function"


def test_the_layers_are_those_that_contributors_are_shown() -> None:
    guide = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text()
    drawn = re.findall(r"```\n(cli\n.*?)```", guide, re.DOTALL)[0]
    *above, lowest = [set(re.findall(r"\w+", layer)) for layer in drawn.split("->")]
    assert [*reversed(above)] == LAYERS[1:]
    assert lowest <= LAYERS[0]
    assert {name for name in LAYERS[0] if (SOURCE / name).is_dir()} <= lowest


def test_every_package_has_its_place_in_the_layers() -> None:
    packages = {path.stem for path in SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert packages - {"__init__", "__main__", "__pycache__"} <= set(LEVEL)
