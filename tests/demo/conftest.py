"""A little web for all tests that only read it."""

from __future__ import annotations

import pytest

from homing.demo.web.little_web import LittleWeb


@pytest.fixture(scope="session")
def web() -> LittleWeb:
    return LittleWeb(seed=1)
