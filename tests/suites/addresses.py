"""URLs: WHATWG's own cases, its host names, and the normaliser and resolver of crawler-commons."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from tests.suites.suite import AGREED, Suite, Verdicts

from homing.urls import canonical

TAKEN_AWAY = "fragments, user names and passwords never name another page and are taken away"
NO_QUERY = 'an empty query ("?" and nothing after it) is none'
ESCAPES = (
    "percent-encoding is upper-case, and gone where the letter can stand for itself; all else stays as the "
    "browser sends it (RFC 3986, 6.2.2; WHATWG)"
)
NOT_WEB = "only http and https are crawled, and only with a host"
NO_SCHEME = "a link without a scheme is relative; for a seed without one Homing asks what is meant"
SLASHES = "`//` within a path stays: it names another page to some servers"
PARAMETERS = "parameters keep their order and their empty values: both matter to some servers"
LAST_DOT = "the dot at the end of a host name is taken away: to the name service it is the same host"
NO_NAME = "two dots at the end of a host name are refused: no name service can know it"
NO_HOST = "an empty host is no host, but with a path behind it browsers take the path's beginning for one"


def _difference(expected: str | None, got: str | None) -> str:
    """Why we spell a URL otherwise; nothing if we do not."""
    if expected == got:
        return AGREED
    if expected and got is None and re.search(r"\.\.(?=[:/])", expected):
        return NO_NAME
    if expected and re.sub(r"\.(?=[:/])", "", expected, count=1) == (got or expected.replace("//.", "//", 1)):
        return LAST_DOT
    if expected is None or got is None:
        return f"unexplained: {got} for {expected}"
    if expected.removesuffix("?") == got:
        return NO_QUERY
    if unquote(expected) == unquote(got):
        return ESCAPES
    return f"unexplained: {got} for {expected}"


def _bare(href: str) -> str | None:
    """A URL without what names no page, if it is of the web."""
    if not href.startswith(("http://", "https://")):
        return None
    return re.sub(r"^(https?://)[^/@?]*@", r"\1", href.partition("#")[0])


def _cases(path: Path) -> Iterator[dict[str, str]]:
    """The cases of a WHATWG file; what stands between them are comments."""
    return (case for case in json.loads(path.read_text(encoding="utf-8")) if isinstance(case, dict))


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, skipinitialspace=True):
            if row and not re.match(r"#(?:\s|$)", row[0]):
                yield [cell.strip() for cell in row]


def _whatwg(path: Path) -> Verdicts:
    for case in _cases(path):
        expected = None if case.get("failure") else _bare(case["href"])
        yield _difference(expected, canonical(case["input"], case.get("base")))


def _host_names(folder: Path) -> Verdicts:
    for name in ("IdnaTestV2.json", "toascii.json"):
        for case in _cases(folder / name):
            expected = None if case["output"] is None else f"https://{case['output']}/x"
            got = canonical(f"https://{case['input']}/x")
            yield NO_HOST if not case["input"] else _difference(expected, got)


def _normalised(folder: Path) -> Verdicts:
    for written, expected in _rows(folder / "weirdToNormalizedUrls.csv"):
        yield _normalisation(written, expected, canonical(written))
    for (written,) in _rows(folder / "invalidUrls.csv"):
        yield _difference(None, canonical(written))


def _normalisation(written: str, expected: str, got: str | None) -> str:
    if got is None:
        return NO_SCHEME if ":" not in written else _not_web(expected)
    if got == expected:
        return AGREED
    if re.sub(r"(?<!:)/+", "/", got) == expected:
        return SLASHES
    if _parameters(got) == _parameters(expected):
        return PARAMETERS
    return _difference(expected, got)


def _not_web(expected: str) -> str:
    return NOT_WEB if not re.match(r"https?://[^/]", expected) else f"unexplained: nothing for {expected}"


def _parameters(url: str) -> tuple[str, list[str]]:
    address, _, query = url.partition("?")
    parts = (part.removesuffix("=") for part in query.split("&") if not part.startswith("="))
    return address, sorted(part for part in parts if part)


def _resolved(path: Path) -> Verdicts:
    for link, base, expected in _rows(path):
        got = canonical(link, base or None)
        bare = _bare(expected)
        if bare is None and got is None:
            yield NOT_WEB
        elif bare == got != expected:
            yield TAKEN_AWAY
        else:
            yield _difference(bare, got)


SUITES = [
    Suite(
        name="WHATWG URLs",
        what="the canonical form is the standard's, without fragment and credentials; what is not http(s) or "
        "no URL at all is none",
        source="whatwg-url/urltestdata.json",
        judge=_whatwg,
        agreed=876,
        accepted={ESCAPES: 8, NO_QUERY: 4, NO_NAME: 2, LAST_DOT: 1},
    ),
    Suite(
        name="WHATWG host names (IDNA)",
        what="a name becomes the ASCII name the standard says, or is refused",
        source="whatwg-url",
        judge=_host_names,
        agreed=2_629,
        accepted={LAST_DOT: 122, NO_NAME: 6, NO_HOST: 1},
    ),
    Suite(
        name="crawler-commons, normaliser",
        what="the canonical form is theirs",
        source="crawler-commons/normalizer",
        judge=_normalised,
        agreed=79,
        accepted={PARAMETERS: 11, ESCAPES: 9, NOT_WEB: 8, SLASHES: 6, NO_SCHEME: 1},
    ),
    Suite(
        name="crawler-commons, resolver",
        what="a link joined to a base is the URL they say",
        source="crawler-commons/url-utils/url-resolve.csv",
        judge=_resolved,
        agreed=17,
        accepted={ESCAPES: 2, TAKEN_AWAY: 2, NOT_WEB: 1},
    ),
]
