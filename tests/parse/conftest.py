import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from homing.model import Kind, Page, Reply
from homing.parse import PageParser

Read = Callable[..., Page]


@pytest.fixture(scope="session")
def read() -> Read:
    """Read a body as the parser would: ``read(b"<p>x", "text/html")``."""
    parser = PageParser()

    def read(
        body: bytes | str,
        content_type: str = "text/html; charset=utf-8",
        *,
        url: str = "http://example.org/dir/page.html",
        headers: tuple[tuple[str, str], ...] = (),
        kind: Kind = "page",
    ) -> Page:
        raw = body.encode() if isinstance(body, str) else body
        labelled = (("Content-Type", content_type), *headers) if content_type else headers
        return parser.read(Reply(url=url, final_url=url, status=200, headers=labelled, body=raw), kind)

    return read


@pytest.fixture(scope="session")
def shared_data() -> Path:
    data = Path(__file__).parents[3] / "shared" / "data"
    if not data.is_dir():
        pytest.skip("the shared test data is not on this machine")
    return data


@pytest.fixture(scope="session")
def recorded(shared_data: Path) -> Callable[[str, int], Iterator[dict[str, Any]]]:
    """The first pages of a recorded web."""

    def pages(web: str, count: int) -> Iterator[dict[str, Any]]:
        with lzma.open(shared_data / "webs" / web / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
            for _, line in zip(range(count), lines, strict=False):
                yield json.loads(line)

    return pages
