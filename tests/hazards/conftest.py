"""The hosts of a test, and what holds for all tests: no connection to the canary, and no unhandled error."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hazards.hosts import Hosts


@pytest.fixture
def hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[Hosts]:
    made = Hosts(tmp_path / "crawl")
    monkeypatch.setattr("homing.fetch.exchange.SystemResolver", lambda: made.names)
    yield made
    made.close()
    assert made.canary == 0
    unhandled = [record for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert unhandled == []
