"""kill -9 at random moments: what was committed is there, and the archive is sound."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from tests.store.story import Open

from homing.model import Standing

WRITE = """
import random, sys, time
from pathlib import Path
from homing.model import Entry, Host, Judgement, Page, Priority, Reply, Standing
from homing.ports import NewVisit
from homing.store.folder import open_catalog
from homing.urls import key

catalog = open_catalog(Path(sys.argv[1]), strategy="s", judge="j", wall=time.time, warc_bytes=200_000)
chance = random.Random(sys.argv[2])
known = len(catalog.known().keys)
step = catalog.tally().pages

def entry(seq):
    url = f"https://a.example/{seq}"
    return Entry(key=key(url), url=url, priority=Priority(score=1.0), parent=0 if seq else None, seq=seq)

if not known:
    catalog.add_hosts([Host(number=0, name="a.example")])
    catalog.add([entry(0)], [0])
    known = 1
    catalog.commit()
print("ready", flush=True)
while True:
    for _ in range(chance.randrange(1, 12)):
        new = [entry(known + i) for i in range(3)]
        known += 3
        step += 1
        url = f"https://a.example/{step - 1}"
        body = f"{step} ".encode() + chance.randbytes(chance.randrange(8_000))
        reply = Reply(url=url, final_url=url, status=200, body=body, requested_at=1e9 + step)
        judgement = Judgement(score=0.5, relevant=True, judge="j")
        catalog.keep(NewVisit(
            reply=reply, entry=entry(step - 1), step=step, standing=Standing.DONE, page=Page(url=url),
            judgement=judgement,
        ))
        catalog.add(new, [0, 0, 0])
        catalog.link(step - 1, [e.seq for e in new])
    catalog.commit()
    print(step, known, flush=True)
"""


def test_what_was_committed_outlives_kill_9(tmp_path: Path, open_at: Open) -> None:
    chance = random.Random(5)
    step, known = 0, 1
    for life in range(5):
        step, known = live_and_die(tmp_path, life, chance.uniform(0.0, 0.12), step, known)
        catalog = open_at(tmp_path)
        standings = catalog.known().standings.tolist()
        pages = catalog.tally().pages
        # The last commit may have been made and not yet told.
        assert pages >= step
        assert len(standings) == 1 + 3 * pages >= known
        assert standings == [Standing.DONE] * pages + [Standing.WAITING] * (1 + 2 * pages)
        assert catalog.links()[1].tolist() == list(range(1, 1 + 3 * pages))
        replies = [(number, reply) for number, _, reply, _ in catalog.visits_since(0)]
        assert [number for number, _ in replies] == list(range(1, pages + 1))
        assert all(reply.body.startswith(f"{number} ".encode()) for number, reply in replies)
        catalog.close()
        assert_archive_is_sound(tmp_path / "warc", pages)
        step, known = pages, len(standings)
    assert step > 20
    digests_agree(tmp_path / "warc")


def live_and_die(folder: Path, life: int, seconds: float, step: int, known: int) -> tuple[int, int]:
    """Write until killed; tells the last commit that was acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(folder), str(life)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(seconds)
    process.kill()
    told, _ = process.communicate()
    whole = [line.split() for line in told.splitlines(keepends=True) if line.endswith("\n")]
    return (int(whole[-1][0]), int(whole[-1][1])) if whole else (step, known)


def assert_archive_is_sound(folder: Path, pages: int) -> None:
    files = sorted(folder.iterdir())
    if not pages:
        assert files == []
        return
    subprocess.run(["gzip", "-t", *files], check=True)
    unpacked = subprocess.run(["gzip", "-dc", *files], check=True, capture_output=True).stdout
    assert unpacked.count(b"WARC-Type: response\r\n") == pages


def digests_agree(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "warcio.cli", "check", *folder.iterdir()], check=True)


def test_a_disk_that_fills_up_ends_the_crawl_in_one_line(tmp_path: Path, open_at: Open) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))\n"
    script = limit + WRITE.replace("warc_bytes=200_000", "warc_bytes=10**9")
    result = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), "1"], capture_output=True, text=True, timeout=60
    )
    assert result.stderr.splitlines()[-1].startswith("homing.errors.StorageError: ")
    step, known = map(int, result.stdout.splitlines()[-1].split())
    catalog = open_at(tmp_path)
    assert (catalog.tally().pages, len(catalog.known().keys)) == (step, known)
    catalog.close()
    assert_archive_is_sound(tmp_path / "warc", step)
    digests_agree(tmp_path / "warc")
