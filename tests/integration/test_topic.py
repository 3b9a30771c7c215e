"""A topic told by pages, with the real command: what is kept of it survives whatever happens to the crawl."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from homing.records import read_records

if TYPE_CHECKING:
    from tests.integration.command import Served

HOMING = Path(sys.executable).with_name("homing")


def test_a_crawl_killed_while_it_begins_is_told_its_topic_again_or_has_kept_it_whole(
    served: Served, tmp_path: Path
) -> None:
    targets = [url for url in sorted(served.web.targets) if served.web.pages[url].status == 200][:4]
    folder, dice = tmp_path / "crawl", random.Random(3)
    begin = [
        str(HOMING),
        "crawl",
        *served.web.seeds,
        *(word for url in targets for word in ("--example", url)),
    ]
    options = ["--out", str(folder), "--connect-to", served.address, "--delay", "0.05", "--quiet", "--json"]
    kept: set[bytes] = set()
    for _ in range(3):
        command = (
            [*begin, *options] if not (folder / "crawl.toml").exists() else [str(HOMING), "crawl", *options]
        )
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=dice.uniform(0.7, 1.8))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if (folder / "crawl.toml").exists():
            kept.add((folder / "topic.jsonl").read_bytes())
    done = subprocess.run([*begin, *options, "--pages", "30"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["judge"] == "examples"
    kept.add((folder / "topic.jsonl").read_bytes())
    assert len(kept) == 1
    assert [record.reply.url for record in read_records(folder / "topic.jsonl")] == targets
