"""robots.txt: Google's expectations, and thousands of real files read by us and by the letter of RFC 9309."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from tests.suites.rfc9309 import StrictRules
from tests.suites.suite import AGREED, Suite, Verdicts

from homing.fetch.robots import Rules
from homing.fetch.robots_text import read

ITSELF = "/robots.txt itself may always be requested (RFC 9309, 2.2.2)"
SAME_PATH = "a path is the same whether its letters are percent-encoded or not (RFC 9309, 2.2.2)"
DIGITS = "a name with digits is one name to us; Google's parser reads it up to the first digit"
OTHER_RECORDS = (
    "`Crawl-delay`, `Noindex` and the like are rules: robots named before them are not in one group with "
    "those named after. By the letter they are nothing, and both would be"
)
MISSPELT = "misspelt records (`User Agent`) are read as they are meant"

_STRING = r'"(?:[^"\\]|\\.)*"'
_FIELD = re.compile(
    rf"(robotstxt|testurl|useragent|expected_outcome)\s*:\s*((?:{_STRING}\s*)+|[A-Z_]+)|(?P<end>\}})",
    re.DOTALL,
)
_ESCAPE = re.compile(rb"\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"f": b"\f", b"v": b"\v", b"a": b"\a", b"b": b"\b"}


def _google(folder: Path) -> Verdicts:
    for path in sorted(folder.rglob("*.textproto")):
        for text, url, agent, allowed in _expectations(path):
            if Rules(text, agent.lower()).allows(url) == allowed:
                yield AGREED
            elif urlsplit(url).path == "/robots.txt":
                yield ITSELF
            elif "%" in text or not (text + url).isascii():
                yield SAME_PATH
            elif re.search(r"^user-agent:.*\d", text, re.IGNORECASE | re.MULTILINE):
                yield DIGITS
            else:
                yield f"unexplained: {path.name} {url} {agent}"


def _expectations(path: Path) -> Iterator[tuple[str, str, str, bool]]:
    """robots.txt, URL, user agent, and whether it may be asked for: the few fields of the format we need."""
    text = re.sub(r"^\s*#.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    robots, case = "", {"testurl": "", "useragent": ""}
    for field in _FIELD.finditer(text):
        if field["end"]:
            if "expected_outcome" in case:
                yield robots, case["testurl"], case["useragent"], case["expected_outcome"] == "ALLOWED"
            case = {"testurl": "", "useragent": ""}
        elif field[1] == "robotstxt":
            robots = read(_bytes(field[2]))
        else:
            case[field[1]] = _bytes(field[2]).decode("utf-8", "replace") if '"' in field[2] else field[2]


def _bytes(literals: str) -> bytes:
    """Strings of the format, one after the other, as the bytes they stand for."""
    pieces = (literal[1:-1].encode() for literal in re.findall(_STRING, literals, re.DOTALL))
    return b"".join(_ESCAPE.sub(_unescaped, piece) for piece in pieces)


def _unescaped(escape: re.Match[bytes]) -> bytes:
    if escape[1] or escape[2]:
        return bytes([int(escape[1], 16) if escape[1] else int(escape[2], 8)])
    return _LETTERS.get(escape[3], escape[3])


@lru_cache(maxsize=1)
def real_files(archive: Path) -> dict[str, str]:
    """The text of every file by the name of its site, as we read it."""
    texts = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member)
            if file and "/test_data/" in member.name:
                texts[member.name.rpartition("/")[2]] = read(file.read())
    return texts


_EVERY = 5
_RULE = re.compile(r"^\s*(?:dis)?allow\s*:\s*(/\S*)", re.IGNORECASE | re.MULTILINE)


def _paths(text: str) -> Iterator[str]:
    """Paths that matter to a file: some that its own rules name, and some below these."""
    yield from ("/", "/index.html")
    rules = _RULE.findall(text)
    for rule in rules[:: max(1, len(rules) // 6)][:6]:
        path = rule.rstrip("$").replace("*", "x")
        yield from (path, path.rstrip("/") + "/moth")


def _agreement(archive: Path) -> Verdicts:
    """One verdict a path and robot, of every fifth file."""
    for text in list(real_files(archive).values())[::_EVERY]:
        for product in ("homing", "googlebot", "bingbot"):
            ours, strict = Rules(text, product), StrictRules(text, product)
            differing = []
            for path in _paths(text):
                if ours.allows("http://example.org" + path) == strict.allows(path):
                    yield AGREED
                else:
                    differing.append(path)
            yield from (_explained(text, product, ours, path) for path in differing)


def _explained(text: str, product: str, ours: Rules, path: str) -> str:
    """The first change of the strict reading that makes it ours."""
    said = ours.allows("http://example.org" + path)
    if StrictRules(text, product, closed_by_all=True).allows(path) == said:
        return OTHER_RECORDS
    mended = re.sub(r"^\s*user agent\s*:", "user-agent:", text, flags=re.IGNORECASE | re.MULTILINE)
    if StrictRules(mended, product, closed_by_all=True).allows(path) == said:
        return MISSPELT
    return f"unexplained: {product} {path}"


SUITES = [
    Suite(
        name="Google's robots.txt specification test",
        what="the URLs that may be requested are those they expect",
        source="google-robots-spec-test",
        judge=_google,
        agreed=390,
        accepted={ITSELF: 4, SAME_PATH: 3, DIGITS: 3},
    ),
    Suite(
        name="4,231 real robots.txt",
        what="of every fifth file, paths that its rules name and three robots: we say what a reader by the "
        "letter of RFC 9309 says (tests/suites/rfc9309.py)",
        source="real-robots-txt/robots-protego-4231.tar.xz",
        judge=_agreement,
        agreed=27_830,
        accepted={OTHER_RECORDS: 64, MISSPELT: 36},
    ),
]
