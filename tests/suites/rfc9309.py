"""A second reader of robots.txt, by the letter of RFC 9309 and nothing else, to compare ours with.

It knows ``name: value`` lines, the four records of the standard, groups, the longest match, ``*`` and ``$``.
It forgives nothing: no missing colons, no misspellings, no names with more than a product token.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

_TOKEN = re.compile(r"[a-z_-]+|\*", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


class StrictRules:
    """What a robots.txt says to one robot.

    Parameters
    ----------
    closed_by_all
        Records that are not in the standard end the naming of robots, as a rule does.
    """

    def __init__(self, text: str, product: str, *, closed_by_all: bool = False) -> None:
        self._rules: list[tuple[str, bool]] = []
        everyone: list[tuple[str, bool]] = []
        ours, addressed, naming = False, False, False
        for_all = False
        for line in re.split(r"\r\n|\r|\n", text):
            name, colon, value = line.partition("#")[0].partition(":")
            name, value = name.strip(" \t").lower(), value.strip(" \t")
            if not colon:
                continue
            if name == "user-agent":
                if not naming:
                    ours = for_all = False
                naming = True
                token = _TOKEN.match(value)
                ours = ours or bool(token and token[0].lower() == product)
                addressed = addressed or ours
                for_all = for_all or value == "*"
            elif name in {"allow", "disallow"}:
                naming = False
                if value:
                    rule = (_encoded(value), name == "allow")
                    if ours:
                        self._rules.append(rule)
                    if for_all:
                        everyone.append(rule)
            elif closed_by_all and name not in {"sitemap", "host"}:
                naming = False
        if not addressed:
            self._rules = everyone

    def allows(self, path: str) -> bool:
        if path == "/robots.txt":
            return True
        path = _encoded(path)
        matches = [(len(rule), allow) for rule, allow in self._rules if _pattern(rule).match(path)]
        return max(matches)[1] if matches else True


@lru_cache(maxsize=10_000)
def _pattern(rule: str) -> re.Pattern[str]:
    end = "$" if rule.endswith("$") else ""
    body = rule.removesuffix("$")
    return re.compile(".*".join(map(re.escape, re.split(r"\*+", body))) + end, re.DOTALL)


def _encoded(path: str) -> str:
    """Octets beyond ASCII encoded, unreserved ones not (section 2.2.2)."""
    return _ESCAPE.sub(_tidy, quote(path, safe="%/:?#[]@!$&'()*+,;=~ \"<>\\^`{|}"))


def _tidy(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if _UNRESERVED.fullmatch(letter) else escape[0].upper()
