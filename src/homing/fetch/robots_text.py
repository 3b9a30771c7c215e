"""The text of a robots.txt, made ready for Protego: decoded, and its groups addressed to us by RFC 9309."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

MAX_BYTES = 512 * 1024
"""Maximum size read; RFC 9309 demands 500 KiB at least."""

_USER_AGENT = re.compile(r"^[ \t]*user[- ]?agent(?:[ \t]*:|[ \t])([^\n#]*)", re.IGNORECASE | re.MULTILINE)


def read(body: bytes) -> str:
    """Decode a robots.txt up to the maximum size, by its byte order mark or as UTF-8."""
    if len(body) > MAX_BYTES:
        # Half a rule is another rule.
        body = body[: body.rfind(b"\n", 0, MAX_BYTES) + 1]
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    for length in (3, 2, 1):
        # Google's specification tests have marks that were cut short, too.
        if body.startswith(BOM_UTF8[:length]):
            body = body[length:]
            break
    return body.decode("utf-8", "replace")


def readdress(text: str, product: str) -> str:
    """Rewrite the rules so that every group is addressed to us, to all, or to another robot.

    RFC 9309 has groups match the whole product token. Protego takes any beginning of it, so that a group
    for "ho" would bind "homing"; and "Foo Bar" or "Foo/1.2" for no one.
    """

    def addressed(line: re.Match[str]) -> str:
        words = re.split(r"[\s/]", line[1].strip().lower(), maxsplit=1)
        token = words[0].rstrip("*") or words[0]
        return f"user-agent: {token if token in (product, '*') else '/'}"

    return _USER_AGENT.sub(addressed, text.replace("\r\n", "\n").replace("\r", "\n"))
