"""Values of headers that a request can carry, and those headers that tell a host no secret.

A host's own words are returned to it: its ETag, its Last-Modified. What it may have put into them is checked
when it is kept (``store/``), and once more when it is sent (``fetch/``), as older crawls have kept anything.
"""

from __future__ import annotations

import re

LONGEST = 1_024
"""Characters of a value that is returned to its host: servers refuse requests with much longer ones."""

_UNSENDABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

_PREFERENCES = frozenset(
    "cache-control dnt from pragma prefer priority save-data upgrade-insecure-requests user-agent".split()
)


def is_sendable(value: str) -> bool:
    r"""Return whether a header can have this value: no control characters, nothing but text.

    >>> is_sendable("Mon, 05 Jan 2026 10:00:00 GMT"), is_sendable("a\r\nX: forged"), is_sendable("\x9b")
    (True, False, False)
    """
    return not _UNSENDABLE.search(value)


def returnable(value: str) -> str:
    r"""Return a value that a host gave if it can be returned to it, else an empty text.

    >>> returnable('"abc"'), returnable('"a\x01"')
    ('"abc"', '')
    """
    return "" if len(value) > LONGEST or _UNSENDABLE.search(value) else value


def is_preference(name: str) -> bool:
    """Return whether a header says how a page is wanted, and so may be sent to any host.

    Any other may hold a password or a key, whatever its name.

    >>> is_preference("Accept-Language"), is_preference("Cookie"), is_preference("X-Api-Key")
    (True, False, False)
    """
    return name.lower() in _PREFERENCES or name.lower().startswith(("accept", "sec-"))
