"""What the assertions of a module say when they fail."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType


def complaints_in(*modules: ModuleType) -> Iterator[str]:
    """The message of each assertion, what it fills in left out."""
    for module in modules:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Assert):
                assert node.msg, f"an assertion in line {node.lineno} of {module.__name__} says nothing"
                yield _literal(node.msg)


def _literal(message: ast.expr) -> str:
    parts = message.values if isinstance(message, ast.JoinedStr) else [message]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
