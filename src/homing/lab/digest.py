"""A digest of the code that a result depends on: modules, and everything they import."""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

_OURS = "homing"


def code_digest(modules: Iterable[str]) -> str:
    """Return the digest of the source of these modules and of all of Homing that they import, however far
    away.

    A package's ``__init__`` counts only where something is imported from the package itself.
    """
    seen: set[str] = set()
    queue = list(modules)
    while queue:
        name = queue.pop()
        if name not in seen:
            seen.add(name)
            queue += _imports(name)
    digest = hashlib.sha256()
    for name in sorted(seen):
        digest.update(_source(name))
    return digest.hexdigest()


def module_of(part: type) -> str:
    """Return the module in which a class is defined."""
    module = inspect.getmodule(part)
    assert module is not None
    return module.__name__


@lru_cache(maxsize=1024)
def _source(name: str) -> bytes:
    spec = find_spec(name)
    assert spec is not None, name
    assert spec.origin is not None, name
    return Path(spec.origin).read_bytes()


@lru_cache(maxsize=1024)
def _imports(name: str) -> tuple[str, ...]:
    if not name.startswith(_OURS):
        return ()  # a plug-in's own imports are its own business
    found: set[str] = set()
    for node in ast.walk(ast.parse(_source(name))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {each for each in inside if _is_module(each)}
            found |= modules
            if modules != inside:
                found.add(node.module)
    return tuple(sorted(each for each in found if each.split(".")[0] == _OURS))


@lru_cache(maxsize=4096)
def _is_module(name: str) -> bool:
    if not name.startswith(f"{_OURS}."):
        return False
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the parent is no package
        return False
