"""Hostile HTML: a million nested tags, a million attributes, megabytes of one tag, links by the thousand.

Expected: less than 2 s of one worker, links found as far as possible, and no stall of the event loop of more
than 100 ms. The pages and their limit of two seconds are those of tests/parse/test_nesting_guard.py. Here
they are crawled: once in full, parsed by a worker process, and once cut to the largest size that the event
loop parses itself.
"""

import pytest
from tests.hazards.hosts import Hosts, http, page
from tests.parse.test_nesting_guard import HOSTILE, LINK

from homing.crawler.reader import BIG_PAGE

FULL = ("a million nested tags", "ten megabytes of one block tag", "a million attributes")
SLOWEST = (
    "ten megabytes of one block tag",
    "ten megabytes of one formatting tag",
    "formatting tags opened again in every block",
    "items that do not close each other",
    "links around blocks",
    "nested tables",
)
"""Pages of which a quarter of a megabyte takes 85 to 360 ms."""


@pytest.mark.parametrize("names", [FULL, SLOWEST], ids=["in full", "as large as the loop may parse"])
def test_hostile_pages_give_their_links_and_do_not_stall_the_loop(
    hosts: Hosts, names: tuple[str, ...]
) -> None:
    for number, name in enumerate(names):
        markup = HOSTILE[name]()
        if names is not FULL:
            markup = LINK + markup[: BIG_PAGE - len(LINK) - 1]
        hosts[f"http://bad{number}.example/"] = http(markup)
        hosts[f"http://bad{number}.example/found"] = page()
    hosts.crawl(*(f"http://bad{number}.example/" for number in range(len(names))))
    found = {f"http://bad{number}.example/found" for number in range(len(names))}
    assert found <= set(hosts.requested())
    assert hosts.longest_stall < 0.1


def test_thousands_of_links_do_not_stall_the_loop(hosts: Hosts) -> None:
    links = "".join(f"<p><a href=/{number}>butterfly {number}</a></p>" for number in range(20_000))
    hosts["http://bad.example/"] = http(links)
    hosts.crawl("http://bad.example/", strategy={"name": "link-context"}, stop={"pages": 1})
    assert hosts.longest_stall < 0.1
