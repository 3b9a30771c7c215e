"""SIGTERM, Ctrl-C, a terminal that is closed, and signals again while a crawl stops.

Expected: after one signal, what is in flight is finished and committed, the exit code is 0, and the same
command resumes later. A terminal and a service manager signal every process of a crawl: worker processes must
survive that, or their pages are lost. After a second signal, what is in flight is dropped and stays queued
for the next run. That a crawl resumes exactly where it was stopped: tests/integration/test_crawl.py.
"""

import os
import signal
import time
from pathlib import Path

import pytest
from tests.hazards.machine.sound import assert_sound, holdings
from tests.integration.command import Command, fetched, figures_of, hears, serving, wait_until

from homing.store.views.reader import Reader

OPTIONS = ("--concurrency", "8", "--delay", "0.05")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_all_processes_of_a_crawl_stops_it_cleanly(
    tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "crawl"
    with serving(tmp_path / "requests.jsonl", latency=0.1) as served:
        process = Command(served).start(folder, *OPTIONS, "--workers", "1", own_group=True)
        wait_until(lambda: fetched(folder) >= 10)
        os.killpg(process.pid, number)
        assert figures_of(process)["stop_reason"] == "interrupted"
        held = holdings(folder)
        answered = {
            f"http://{request['host']}{request['path']}"
            for request in served.requests()
            if request["status"] == 200 and not str(request["path"]).endswith("robots.txt")
        }
        assert answered <= held.visited  # what was in flight is kept,
        with Reader(folder) as reader:
            assert all(row.title for row in reader.pages() if row.status == 200)  # and was parsed
    assert_sound(folder)


def test_a_second_signal_drops_what_is_in_flight(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with serving(tmp_path / "requests.jsonl", latency=60.0) as served:
        process = Command(served).start(folder, *OPTIONS)
        wait_until(lambda: hears(process.pid, signal.SIGTERM))
        time.sleep(0.3)  # it has requested robots.txt, and will get it in a minute
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (0, "")
    assert holdings(folder).known == set(served.web.seeds)
    with Reader(folder) as reader:
        figures = reader.figures()
    assert (figures["frontier"], figures["stop_reason"]) == (len(served.web.seeds), "interrupted")
