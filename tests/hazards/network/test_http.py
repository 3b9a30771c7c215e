"""HTTP that is broken: huge headers, bad lengths, no status line, NUL, folded headers and the like.

Expected: a failure or a lenient reading, never a crash; the connection is not reused. The replies are those
of tests/fetch/test_exchange.py, each here from a host of one crawl.
"""

from tests.fetch.test_exchange import BROKEN, ODD
from tests.hazards.hosts import Hosts, page


def test_a_crawl_continues_among_hosts_that_cannot_speak_http(hosts: Hosts) -> None:
    answers = list((BROKEN | ODD).values())
    bad = [f"http://bad{number}.example/page" for number in range(len(answers))]
    for url, answer in zip(bad, answers, strict=True):
        hosts[url] = answer
        hosts[f"{url}/next"] = page(title="whole")
    for number in range(20):
        hosts[f"http://good.example/{number}"] = page(f"/{number + 1}", title="whole")
    seeds = [*bad, *(f"{url}/next" for url in bad), "http://good.example/0"]
    assert hosts.crawl(*seeds, scope={"max_depth": 19}, fetch={"first_byte_seconds": 2.0}) == "frontier empty"
    pages = hosts.pages()
    whole = [*(f"{url}/next" for url in bad), *(f"http://good.example/{number}" for number in range(20))]
    assert {pages[url].title for url in whole if url in pages} == {"whole"}
    assert [url for url in whole if url not in pages] == []
    for number, url in enumerate(bad):
        if number < len(BROKEN):
            assert hosts.kind(url) in {"protocol", "connect"}
            used = {request.url: request.connection for request in hosts.requests(f"bad{number}.example")}
            assert used[url] != used[f"{url}/next"]
        else:
            assert hosts.kind(url) == "protocol" or hosts.body(url) == b"page"
