"""Bodies that grow without bound, or never end.

Expected: streaming decode with caps on output, ratio and members; a reply that was cut is marked in the
catalog and by ``WARC-Truncated``. Memory rises by less than 50 MB, whatever the bomb holds. There are limits
on bytes, first byte, total time and minimum rate; the slot is freed, the host rests, and other hosts are not
slowed down. Caps one by one: tests/fetch/test_decode.py; limits one by one: tests/fetch/test_exchange.py; 64
such hosts at once: benchmarks/crawls/hostile.py.
"""

from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from tests.hazards.hostile import (
    BOMBS,
    MIB,
    dripping_body,
    dripping_headers,
    endless_body,
    endless_chunks,
    silence,
)
from tests.hazards.hosts import Hosts, http, page


def peak_memory() -> int:
    """Return the peak memory in bytes since ``reset_peak``."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def truncated(folder: Path) -> dict[str, str]:
    """Return the replies that were cut, with the reason in the archive."""
    said = {}
    for path in sorted(folder.glob("**/*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                if reason := record.headers.get("WARC-Truncated"):
                    said[str(record.headers["WARC-Target-URI"])] = reason
    return said


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="the peak memory is known on Linux only"
)
def test_bombs_are_cut_say_so_and_cost_little_memory(hosts: Hosts) -> None:
    for name, (encoding, make) in BOMBS.items():
        hosts[f"http://{name}.example/"] = http(make(), Content_Encoding=encoding)
    hosts["http://good.example/"] = page()
    bombs = [f"http://{name}.example/" for name in BOMBS]
    fetch, store = {"concurrency": 1}, {"index": False}
    hosts.crawl("http://good.example/", fetch=fetch, store=store)  # loads what any crawl needs
    reset_peak()
    before = peak_memory()
    hosts.crawl(*bombs, "http://good.example/", fetch=fetch, store=store)
    assert peak_memory() - before < 50_000_000
    assert hosts.pages().keys() == {*bombs, "http://good.example/"}
    assert truncated(hosts.folder) == dict.fromkeys(bombs, "length")
    assert max(len(hosts.body(url)) for url in bombs) <= 10 * MIB
    assert hosts.longest_stall < 0.1


ENDLESS = {
    "endless-body": (endless_body, ""),
    "endless-chunks": (endless_chunks, ""),
    "dripping-body": (dripping_body, "timeout"),
    "dripping-headers": (dripping_headers, "timeout"),
    "silent": (silence, "timeout"),
}


def test_hosts_without_end_free_their_slots_rest_and_do_not_slow_the_others(hosts: Hosts) -> None:
    for name, (answer, _) in ENDLESS.items():
        hosts[f"http://{name}.example/robots.txt"] = http(status=404)
        hosts[f"{name}.example"] = answer
    for number in range(40):
        hosts[f"http://good.example/{number}"] = page(f"/{number + 1}")
    bad = {name: [f"http://{name}.example/{number}" for number in range(2)] for name in ENDLESS}
    seeds = [url for urls in bad.values() for url in urls]
    limits = {"max_bytes": 100_000, "first_byte_seconds": 1.5, "total_seconds": 1.5, "concurrency": 6}
    hosts.crawl(*seeds, "http://good.example/0", scope={"max_depth": 39, "avoid_traps": False}, fetch=limits)
    for name, (_, kind) in ENDLESS.items():
        assert [hosts.kind(url) for url in bad[name]] == [kind, kind]
        first, second = (
            request.began for request in hosts.requests(f"{name}.example") if request.url in bad[name]
        )
        assert kind == "" or second - first >= 1.54  # its time limit, and the rest after a failure
    good = [request.began for request in hosts.requests("good.example")]
    assert len(good) == 41
    assert max(good) - min(good) < 4.5, "it did not wait for each in turn"
    cut = [url for name in ("endless-body", "endless-chunks") for url in bad[name]]
    assert truncated(hosts.folder) == dict.fromkeys(cut, "length")
    assert {len(hosts.body(url)) for url in bad["endless-body"]} == {100_000}
    assert all(0 < len(hosts.body(url)) < 100_000 for url in bad["endless-chunks"]), "one byte each"


def test_hosts_that_never_answer_do_not_keep_all_places(hosts: Hosts) -> None:
    silent = [f"http://silent{number}.example/" for number in range(4)]
    for number in range(4):
        hosts[f"silent{number}.example"] = silence
    for number in range(20):
        hosts[f"http://good.example/{number}"] = page(f"/{number + 1}")
    limits = {"first_byte_seconds": 6.0, "concurrency": 2}
    scope = {"max_depth": 19, "avoid_traps": False}
    hosts.crawl(*silent, "http://good.example/0", scope=scope, fetch=limits, stop={"pages": 20})
    first = hosts.requests("silent0.example")[0].began
    assert len(hosts.requests("good.example")) == 21
    assert hosts.requests("good.example")[0].began - first < 6.0, "before the first of them timed out"
