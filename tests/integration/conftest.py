"""The little web, and the command line that crawls it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.command import Command, Served, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "requests.jsonl") as served:
        yield served


@pytest.fixture
def homing(served: Served) -> Command:
    return Command(served)
