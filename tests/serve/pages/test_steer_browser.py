"""Steering and starting crawls in a real browser."""

from __future__ import annotations

import re
import time
from contextlib import closing
from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect
from tests.serve.browsing import needs_chromium, tab
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import TOKEN, serving

from homing.config import Config
from homing.store.inbox import Inbox
from homing.store.views.reader import Reader

pytestmark = needs_chromium

HOSTILE = "\"><img src=x onerror=alert(1)>{{ 7*7 }}<script>alert('command')</script>"
RIGHT, WRONG = re.compile("^right"), re.compile("^wrong")
"""The buttons that label a page: what follows is its title, which may have any words."""


def fetched(address: str) -> int:
    return int(httpx.get(f"{address}/api/report").json()["fetched"])


def found(address: str) -> int:
    return int(httpx.get(f"{address}/api/report").json()["relevant"])


def test_pause_block_and_label_work_while_the_crawl_runs(browser: Browser, running: RunningCrawl) -> None:
    with serving(running.folder) as address, tab(browser, address) as page:
        until = time.monotonic() + 60
        while found(address) < 2 and time.monotonic() < until:  # a busy machine takes its time
            time.sleep(0.1)
        page.goto(f"/steer?token={TOKEN}")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator(".result").first).to_have_text("pause: done")
        page.wait_for_timeout(2_500)  # what was fetched by then is committed and counted
        before = fetched(address)

        page.goto("/pages?verdict=relevant")
        row = page.locator("#found tbody tr").first
        host = row.locator("td a").first.inner_text()
        row.get_by_role("button", name=WRONG).click()
        expect(row.get_by_role("button", name=WRONG)).to_have_attribute("aria-pressed", "true")
        page.locator("#found tbody tr").nth(1).get_by_role("button", name=RIGHT).click()

        page.goto("/steer")
        page.get_by_label("A host, or a pattern").fill(host)
        page.get_by_role("button", name="Block").click()
        expect(page.get_by_text(re.compile("block: done; [0-9,]+ queued URLs? removed"))).to_be_visible()
        expect(page.locator("#commands-head ~ .scroll")).to_contain_text(f"block {host}")
        expect(page.locator("#blocks")).to_contain_text(host)
        page.get_by_role("button", name="Unblock").click()
        expect(
            page.get_by_text(re.compile("unblock: done; [0-9,]+ refused URLs? queued again"))
        ).to_be_visible()
        expect(page.get_by_role("button", name="Unblock")).to_have_count(0)
        assert fetched(address) - before <= 3  # those in flight
    with Reader(running.folder) as reader:
        assert sorted(label.relevant for label in reader.labels()) == [False, True]


def test_a_form_works_without_a_script(browser: Browser, crawled: Path) -> None:
    with serving(crawled) as address:
        context = browser.new_context(base_url=address, java_script_enabled=False)
        page = context.new_page()
        page.goto(f"/steer?token={TOKEN}")
        page.get_by_label("Delay between").fill("2")
        page.locator("form", has=page.locator("#delay")).get_by_role("button").click()
        expect(page.locator(".result")).to_contain_text("set pace: no crawl is running; queued")
        expect(page.locator("#commands-head ~ .scroll")).to_contain_text("set pace delay: 2")
        page.goto("/pages?order=best")
        title = page.locator("#found tbody tr a").first.inner_text()
        page.locator("#found tbody tr").first.get_by_role("button", name=RIGHT).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_role("button", name=RIGHT)).to_have_attribute("aria-pressed", "true")
        context.close()


def test_hostile_commands_stay_text(browser: Browser, hostile: Path) -> None:
    with serving(hostile) as address, tab(browser, address, errors=1) as page:
        page.goto(f"/steer?token={TOKEN}")
        page.get_by_label("A host, or a pattern").fill(HOSTILE)
        page.get_by_role("button", name="Block").click()
        expect(page.get_by_text("block: no crawl is running")).to_be_visible()
        page.get_by_label("URLs, one per line").fill(HOSTILE)
        page.get_by_role("button", name="Add").click()
        expect(page.locator(".results .message")).to_contain_text(HOSTILE)
        page.goto("/steer")
        expect(page.locator("#commands-head ~ .scroll")).to_contain_text(HOSTILE)


def test_without_the_token_a_form_says_so(browser: Browser, address: str) -> None:
    with tab(browser, address, errors=1) as page:
        page.goto("/steer")
        page.get_by_label("A host, or a pattern").fill("a.example")
        page.get_by_role("button", name="Block").click()
        expect(page.locator("#block-head ~ .results")).to_contain_text("this needs the token")


def test_a_crawl_is_started_from_labelled_pages(browser: Browser, running: RunningCrawl) -> None:
    urls: list[str] = []
    while len(urls) < 2:
        time.sleep(0.1)
        with Reader(running.folder) as reader:
            urls = [row.url for row in reader.pages(relevant_only=True)]
    with closing(Inbox(running.folder)) as inbox:
        inbox.send("pause", {})  # its web keeps answering
    with serving(running.folder) as address, tab(browser, address) as page:
        page.goto(f"/new?token={TOKEN}")
        page.get_by_label("URLs, one per line").fill("\n".join(urls[:2]))
        page.get_by_role("button", name="Fetch").click()
        expect(page.get_by_role("group")).to_have_count(2)
        page.get_by_role("group").nth(0).get_by_label("right").check()
        page.get_by_role("group").nth(1).get_by_label("wrong").check()
        page.get_by_role("button", name="Use these labels").click()
        expect(page.get_by_text("1 pages labelled right, 1 wrong")).to_be_visible()
        page.get_by_label("Topic, in a few words").fill("../butterfly <b>gardening</b>")
        page.get_by_label("Use the pages labelled right").check()
        page.get_by_label("Delay", exact=True).fill("0")
        page.get_by_label("Pages", exact=True).fill("5")
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**/crawls/butterfly-b-gardening-b/")
        expect(page.locator("#fetched")).to_have_text("5")
        assert httpx.get(f"{page.url}api/report").json()["judge"] == "examples"
        page.get_by_role("link", name="Pages").click()
        expect(page).to_have_url(f"{address}/crawls/butterfly-b-gardening-b/pages")
        page.locator("#found tbody tr a").first.click()
        assert page.url.startswith(f"{address}/crawls/butterfly-b-gardening-b/pages/")
    begun = running.folder.parent / "butterfly-b-gardening-b"
    assert {path.name for path in running.folder.parent.iterdir()} == {"running", begun.name}
    topic = Config.load(begun / "crawl.toml").topic
    assert [*topic.examples, *topic.negatives] == [f"{begun}/examples.jsonl", f"{begun}/negatives.jsonl"]
