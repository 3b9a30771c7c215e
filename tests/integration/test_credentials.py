"""Headers reach the origins that the user named with them, and no others, whatever builds the request.

``config/headers`` has the rule.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from tests.calling import called
from tests.serve.serving import TOKEN, serving

import homing
from homing.config import Config
from homing.store.inbox import Inbox

HOME, STRANGER = "http://home.example", "http://stranger.example"
SECRETS = {"Authorization": "Bearer secret", "Cookie": "session=secret", "X-Api-Key": "secret"}
GIVEN = {**SECRETS, "Accept-Language": "de"}
OPTIONS = [f"--header={name}: {value}" for name, value in GIVEN.items()]


class Web(ThreadingHTTPServer):
    """Serves every host; keeps what each was told."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.told: dict[str, list[dict[str, str]]] = {}
        """By host, the headers of each request, names in lower case."""
        self.moved: dict[str, str] = {}
        """By URL, where it leads."""
        self.robots: dict[str, str] = {}

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def secrets_of(self, host: str) -> set[str]:
        """The secrets that a host was told, in requests of any kind."""
        names = {name.lower() for name in SECRETS}
        assert self.told.get(host), f"{host} was not requested"
        return {name for headers in self.told[host] for name in headers.keys() & names}

    def check(self, *homes: str) -> None:
        """Each of these hosts was told everything, in every request, and no other host any secret."""
        for host in self.told:
            wanted = {name.lower() for name in SECRETS} if host in homes else set()
            assert self.secrets_of(host) == wanted, host
            for headers in self.told[host] if host in homes else ():
                assert wanted <= headers.keys()
        assert set(homes) <= self.told.keys()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        web = self.server
        assert isinstance(web, Web)
        host = self.headers["Host"]
        web.told.setdefault(host, []).append({name.lower(): value for name, value in self.headers.items()})
        target = web.moved.get(f"http://{host}{self.path}")
        is_robots = self.path == "/robots.txt"
        body = web.robots.get(host, "").encode() if is_robots else b"<p>Moths and butterflies.</p>"
        self.send_response(302 if target else 200)
        self.send_header("Content-Type", "text/plain" if is_robots else "text/html")
        self.send_header("Content-Length", str(len(body)))
        if target:
            self.send_header("Location", target)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        """Say nothing."""


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as web:
        thread = threading.Thread(target=web.serve_forever, args=(0.01,))
        thread.start()
        yield web
        web.shutdown()
        thread.join()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "crawls" / "mine"


def crawl(web: Web, out: Path, *arguments: str, command: str = "crawl") -> str:
    """Run ``homing crawl``; return what it said on stderr, and forget what hosts were told before."""
    web.told.clear()
    out.parent.mkdir(exist_ok=True)
    done = called(command, *arguments, f"--out={out}", f"--connect-to={web.address}", "--delay=0", "--quiet")
    assert done.returncode == 0 or done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_new_crawl_has_those_it_was_given_for_its_seeds(web: Web, out: Path) -> None:
    web.moved[f"{HOME}/"] = f"{STRANGER}/from-home"
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.check("home.example")
    assert {headers["accept-language"] for headers in web.told["stranger.example"]} == {"de"}
    assert Config.load(out / "crawl.toml").fetch.headers_for == (HOME,)


def test_robots_txt_and_sitemaps_elsewhere_get_none(web: Web, out: Path) -> None:
    web.moved[f"{HOME}/robots.txt"] = f"{STRANGER}/robots.txt"
    web.robots["stranger.example"] = f"Sitemap: {HOME}/sitemap.xml\n"
    web.moved[f"{HOME}/sitemap.xml"] = "http://maps.example/sitemap.xml"
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.check("home.example")
    assert {"stranger.example", "maps.example"} <= web.told.keys()


def test_another_port_or_scheme_of_the_same_host_is_another_origin(web: Web, out: Path) -> None:
    web.moved[f"{HOME}/"] = "https://home.example:8443/"
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.check("home.example")
    assert "home.example:8443" in web.told


def test_seeds_that_are_added_later_get_none(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    crawl(web, out, f"{STRANGER}/", f"{HOME}/more")
    web.check("home.example")


def test_nor_do_those_of_the_command_add_seeds(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    with closing(Inbox(out)) as inbox:
        inbox.send("add_seeds", {"urls": [f"{STRANGER}/", f"{HOME}/more"]})
    crawl(web, out, f"{HOME}/even-more")
    web.check("home.example")
    crawl(web, out, f"{STRANGER}/more")
    web.check()


def test_a_crawl_of_an_older_version_trusts_the_seeds_that_it_had(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    stored = out / "crawl.toml"
    stored.write_text(re.sub(r"headers_for = .*\n", "", stored.read_text()))
    crawl(web, out, f"{STRANGER}/", f"{HOME}/more")
    web.check("home.example")


def test_headers_that_are_given_again_replace_the_old_ones_where_these_were_sent(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", "--header=Cookie: old")
    crawl(web, out, f"{HOME}/more")
    assert web.told["home.example"][-1]["cookie"] == "old"
    crawl(web, out, *OPTIONS)
    crawl(web, out, f"{STRANGER}/", f"{HOME}/even-more")
    web.check("home.example")


def test_headers_given_with_other_seeds_are_for_those(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", "--header=Cookie: old")
    crawl(web, out, "http://new.example/", *OPTIONS)
    crawl(web, out, f"{HOME}/more", f"{STRANGER}/", "http://new.example/more")
    web.check("new.example")


def test_headers_of_a_crawl_without_any_need_the_seeds_they_are_for(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/")
    assert "--header: name the seeds" in crawl(web, out, *OPTIONS)
    assert web.told == {}
    assert crawl(web, out, f"{HOME}/more", "--header=Accept-Language: de") == ""
    crawl(web, out, f"{HOME}/even-more", *OPTIONS)
    web.check("home.example")


def test_the_headers_of_a_file_are_for_its_seeds(web: Web, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "moths.toml"
    headers = ", ".join(f"{name} = {json.dumps(value)}" for name, value in GIVEN.items())
    file.write_text(f'[seeds]\nurls = ["{HOME}/"]\n[fetch]\nheaders = {{ {headers} }}\n')
    crawl(web, out, "moths", f"{STRANGER}/", f"{HOME}/x", f"--config={file}")
    web.check("home.example")
    file.write_text(f"[fetch]\nheaders = {{ {headers} }}\n")
    crawl(web, out.with_name("other"), "moths", f"{STRANGER}/", f"--config={file}")
    web.check("stranger.example")
    file.write_text(f'[fetch]\nheaders = {{ {headers} }}\nheaders_for = ["{HOME}/path"]\n')
    crawl(web, out.with_name("third"), "moths", f"{STRANGER}/", f"{HOME}/", f"--config={file}")
    web.check("home.example")


def test_examples_get_none(web: Web, out: Path) -> None:
    examples = (f"--example={STRANGER}/moths", f"--not-example={STRANGER}/others")
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS, *examples)
    web.check("home.example")
    web.told.clear()
    done = called("judge", "--config", out / "crawl.toml", f"{STRANGER}/page", f"--connect-to={web.address}")
    assert done.returncode == 0, done.stderr
    web.check()


def test_fitting_on_a_crawl_takes_none_from_it(web: Web, out: Path, tmp_path: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.told.clear()
    options = ["--strategy=crf", f"--out={tmp_path / 'a.model'}", f"--connect-to={web.address}", "--delay=0"]
    called("fit", out, *options, f"--example={STRANGER}/moths")
    web.check()


def test_a_refresh_sends_them_where_the_crawl_did(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", f"{HOME}/a", *OPTIONS)
    crawl(web, out, f"{STRANGER}/")
    web.told.clear()
    assert called("refresh", out, "--older-than=0", "--quiet").returncode == 0
    web.check("home.example")
    assert "stranger.example" in web.told


def test_a_program_gives_them_with_its_seeds(web: Web, out: Path) -> None:
    settings: dict[str, dict[str, object]]
    settings = {"fetch": {"headers": GIVEN, "connect_to": web.address}, "pace": {"delay": 0}}
    web.moved[f"{HOME}/"] = f"{STRANGER}/"
    assert list(homing.crawl_sync("moths", [f"{HOME}/"], out=out, settings=settings))
    web.check("home.example")


@contextmanager
def app_over(folder: Path) -> Iterator[httpx.Client]:
    with serving(folder) as address:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=address, trust_env=False, headers=headers, follow_redirects=True) as owner:
            yield owner


def wait_for(web: Web, host: str, page: str = "") -> None:
    ends = time.monotonic() + 60
    while len(web.told.get(host, ())) < 2:
        assert time.monotonic() < ends, page
        time.sleep(0.05)


def test_a_new_crawl_of_the_web_app_has_none(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.told.clear()
    with app_over(out) as owner:
        filled = {"topic": "bees", "seeds": f"{STRANGER}/\n{HOME}/new", "delay": "0"}
        page = owner.post("/new", data=filled).text
        wait_for(web, "stranger.example", page)
        wait_for(web, "home.example", page)
        ends = time.monotonic() + 60
        while "<bdi>bees" not in owner.get("/new").text:
            assert time.monotonic() < ends
            time.sleep(0.1)
    web.check()
    stored = Config.load(out.parent / "bees" / "crawl.toml")
    assert (stored.fetch.headers, stored.fetch.headers_for) == ({}, ())
    assert stored.fetch.connect_to == web.address


def test_candidates_of_the_web_app_get_none(web: Web, out: Path) -> None:
    crawl(web, out, "moths", f"{HOME}/", *OPTIONS)
    web.told.clear()
    with app_over(out) as owner:
        owner.post("/new/candidates", data={"urls": f"{STRANGER}/\n{HOME}/new"})
        wait_for(web, "stranger.example")
        wait_for(web, "home.example")
    web.check()
