"""Whatever it is sent, the app answers as its description says (``api/problems``): tried by schemathesis.

The pages are not described to programs; what they may answer is written down here. A run with more examples:
``schemathesis run http://127.0.0.1:8765/api/openapi.json``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from tests.lab.made import campaign
from tests.serve.serving import TOKEN, serving

from homing import urls
from homing.lab.results.file import results_of
from homing.lab.results.timings import timings_of
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages import browse, lab, search, start, steer
from homing.serve.pages.templating import Renderer
from homing.store.views.reader import Reader

CONFIG = Path(__file__).parents[2] / "schemathesis.toml"
ANSWERS = ("200", "303", "400", "404", "409", "413", "422", "503")
PAGE = {"text/html": {"schema": {"type": "string"}}, "image/svg+xml": {"schema": {"type": "string"}}}


@pytest.fixture(scope="module")
def folder(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the crawl, as commands are left in it, with a run of the lab beside it."""
    parent = tmp_path_factory.mktemp("described")
    run = parent / "my-run"
    run.mkdir()
    runs = campaign(["otie", "breadth-first"], 1, 2)
    results_of(runs, web="little").write(run)
    timings_of(runs).write(run)
    (run / "pictures").mkdir()
    (run / "pictures" / "recall.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return shutil.copytree(crawled, parent / "little")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    with serving(folder) as address:
        yield address


def departures(place: Path, *words: str) -> bool:
    """Run schemathesis with a fixed seed; whether it finds any, which it then prints."""
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), f"--config-file={CONFIG}", "run", *words),
        *(f"--header=Authorization: Bearer {TOKEN}", "--seed=1", "--max-examples=10", "--no-shrink"),
        *("--phases=examples,coverage,fuzzing", "--generation-database=none", "--no-color"),
    ]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr)
    return done.returncode != 0


def test_the_api_answers_as_it_says(served: str, tmp_path: Path) -> None:
    assert not departures(tmp_path, f"{served}/api/openapi.json")


def pages_of(folder: Path) -> dict[str, object]:
    """Describe the pages of a crawl and those of the lab, with names and URLs that are there."""
    crawl = CrawlFolder(folder)
    renderer = Renderer(crawl)
    routers = [
        *(page.routes(renderer, crawl) for page in (browse, search, steer, start)),
        lab.routes(renderer, crawl, []),
    ]
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    for route in routes:
        route.include_in_schema = True
    description = get_openapi(title="pages", version="1", routes=routes)
    with Reader(folder) as reader:
        _, url = next(iter(reader.addresses()))
    for path, operations in description["paths"].items():
        name = "my-run" if path.startswith("/lab") else urls.host(url)
        known = {"url": url, "seq": 1, "picture": "recall.svg", "name": name, "number": 1}
        for operation in operations.values():
            operation["responses"] = {
                status: {"description": "", "content": {} if status == "303" else PAGE} for status in ANSWERS
            }
            for parameter in operation.get("parameters", []):
                if parameter["name"] in known:
                    parameter["example"] = known[parameter["name"]]
    return description


def test_the_pages_answer_with_a_page(served: str, folder: Path, tmp_path: Path) -> None:
    description = tmp_path / "pages.json"
    description.write_text(json.dumps(pages_of(folder)))
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,unsupported_method"
    assert not departures(tmp_path, str(description), f"--url={served}", f"--checks={checks}")
