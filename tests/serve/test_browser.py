"""The app in a real browser."""

from __future__ import annotations

from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect
from tests.serve.browsing import complaints_of_axe, needs_chromium, tab
from tests.serve.conftest import HOSTILE_ANCHOR, HOSTILE_TITLE
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import TOKEN, serving

pytestmark = needs_chromium

RESULTS = "/search?q=nectar&sort=topic"


def best_page(address: str) -> str:
    (page,) = httpx.get(f"{address}/api/pages?order=best&limit=1").json()["pages"]
    return f"/pages/{page['seq']}"


def test_the_dashboard_moves_with_the_crawl_and_search_finds_what_came(
    browser: Browser, running: RunningCrawl
) -> None:
    with serving(running.folder) as address, tab(browser, address) as page:
        page.goto(f"/?token={TOKEN}")
        assert page.url == f"{address}/"
        expect(page.locator("#state")).to_contain_text("Running")
        shown = list[int]()
        for _ in range(2):
            before = page.locator("#fetched").inner_text()
            page.wait_for_function(
                "before => document.querySelector('#fetched').innerText !== before", arg=before
            )
            shown.append(int(page.locator("#fetched").inner_text().replace(",", "")))
        assert shown == sorted(set(shown))
        assert page.locator("#chart-pages canvas").count() == 1
        running.stop()
        expect(page.locator("#state")).to_contain_text("stopped by the test")
        title = page.locator("#latest tbody a").first.inner_text()

        page.get_by_role("link", name="Search").click()
        page.get_by_label("Query").fill(f'"{title}"')
        page.get_by_role("button", name="Search").click()
        result = page.get_by_role("link", name=title, exact=True).first
        expect(result).to_be_visible()
        assert "q=" in page.url
        result.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_the_way_from_the_seed_and_the_picture_can_be_walked(browser: Browser, address: str) -> None:
    with tab(browser, address) as page:
        page.goto(best_page(address))
        title = page.get_by_role("heading", level=1).inner_text()
        page.locator(".way a").first.click()
        expect(page.locator(".way li")).to_have_count(1)  # the seed
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        neighbour = page.locator(".neighbourhood a:not([aria-current])").first
        target = neighbour.get_attribute("href")
        neighbour.click()
        page.wait_for_url(f"**{target}")


def test_a_filter_changes_the_table_in_place(browser: Browser, address: str) -> None:
    with tab(browser, address) as page:
        page.goto("/pages")
        page.evaluate("window.stays = true")
        page.get_by_label("Verdict").select_option("relevant")
        page.wait_for_url("**verdict=relevant**")
        expect(page.locator("#found .verdict.other")).to_have_count(0)
        assert page.locator("#found .verdict.relevant").count() > 0
        assert page.evaluate("window.stays")
        page.go_back()
        expect(page.locator("#found .verdict.other").first).to_be_visible()


def test_a_query_with_broken_syntax_is_reported_in_place(browser: Browser, address: str) -> None:
    with tab(browser, address, errors=1) as page:
        page.goto("/search")
        page.get_by_label("Query").fill('"moth')
        page.get_by_label("Query").press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("quotation mark")


def test_hostile_titles_and_urls_stay_text(browser: Browser, hostile: Path) -> None:
    with serving(hostile) as address, tab(browser, address) as page:
        for path in ("/", "/pages", "/hosts/hostile.example", "/search?q=butterfly", best_page(address)):
            page.goto(path)
            page.wait_for_load_state("load")
            assert "alert('t')" in page.content().replace("&#39;", "'")
        # innerText would turn nothing round, but leaves out what is not shown.
        assert HOSTILE_TITLE.replace("\u202e", "") in page.locator("h1").inner_text().replace("\u202e", "")
        page.goto("/pages")
        assert HOSTILE_ANCHOR in page.locator("#found").inner_text()


def test_axe_finds_nothing(browser: Browser, address: str) -> None:
    few = "gatehouse-directory.example"
    paths = (
        "/",
        f"/pages?host={few}",
        f"/hosts/{few}",
        RESULTS,
        "/steer",
        "/new",
        "/lab",
        "/api",
        best_page(address),
    )
    with tab(browser, address) as page:
        assert complaints_of_axe(page, paths) == []


def test_axe_finds_enough_contrast_in_the_dark(browser: Browser, address: str) -> None:
    with tab(browser, address, scheme="dark") as page:
        paths = ("/", RESULTS, "/steer", "/new", best_page(address))
        assert complaints_of_axe(page, paths, runOnly=["color-contrast"]) == []


def test_nothing_is_wider_than_a_small_screen(browser: Browser, address: str) -> None:
    with tab(browser, address, width=400, errors=1) as page:
        for path in (
            "/",
            "/pages",
            "/hosts",
            "/failures",
            RESULTS,
            "/steer",
            "/new",
            "/lab",
            "/api",
            "/nothing",
            best_page(address),
        ):
            page.goto(path)
            room = page.evaluate("document.documentElement.clientWidth")
            assert page.evaluate("document.documentElement.scrollWidth") <= room, path


def test_the_keyboard_is_enough(browser: Browser, address: str) -> None:
    with tab(browser, address) as page:
        page.goto("/pages")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(page.get_by_label("Verdict")).to_be_focused()
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
