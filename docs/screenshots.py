"""The pictures of the web app in the README, of a real crawl of the little web: ``make pictures``."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from homing.demo.demonstration import demonstrate

HERE = Path(__file__).parent
SHOWN = {
    "serve-dashboard.png": ("/", 680),
    "serve-search.png": ("/search?q=butterfly+nectar+-wasps&sort=topic", 730),
}
"""What is shown, and down to which pixel."""
WIDTH = 1280


def photograph(folder: Path) -> None:
    """Serve a crawl folder, and take a picture of each page in a browser that prefers light colours."""
    command = [sys.executable, "-m", "homing", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as app:  # noqa: S603 -- our own words
        assert app.stdout is not None
        address = app.stdout.readline().partition("/?token=")[0]
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"),
                    args=["--no-sandbox"] if os.geteuid() == 0 else [],  # root may not use the sandbox
                )
                page = chromium.new_page(base_url=address, color_scheme="light")
                for name, (path, height) in SHOWN.items():
                    page.set_viewport_size({"width": WIDTH, "height": height})
                    page.goto(path)
                    page.evaluate("document.activeElement.blur()")
                    page.screenshot(path=HERE / name)
                chromium.close()
        finally:
            app.terminate()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        crawl = Path(place) / "butterfly-gardening"
        demonstrate(crawl, pages=300)
        photograph(crawl)
