"""Which origins the headers of a configuration belong to: the rule, in one place.

Headers belong to the origins of the seeds that the user gave together with them: in one command, in one file,
in one call. ``[fetch] headers_for`` keeps these origins with the crawl, so that seeds added later get none,
whoever adds them. A configuration that is made from that of another crawl has no headers.

Headers that only say how a page is wanted, such as Accept-Language, are sent to every host
(``header_values.is_preference``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homing import urls
from homing.header_values import is_preference

Table = Mapping[str, object]
"""The section ``[fetch]``, as far as it was given."""


def check_origin(text: str) -> str:
    """Return the origin of a URL; raise ``ValueError`` for a text that has none.

    >>> check_origin("HTTPS://Example.org:443/login")
    'https://example.org'
    """
    url = urls.canonical(text)
    if url is None:
        raise ValueError(f'must be origins such as "https://example.org", not "{text}"')
    return urls.origin(url)


def origins_of(seeds: Iterable[str]) -> tuple[str, ...]:
    """Return the origins of these seeds, each once."""
    return tuple(dict.fromkeys(urls.origin(url) for url in map(urls.canonical, seeds) if url))


def without_old_origins(old: Table, new: Table) -> Table:
    """Return ``old``, without the origins of its headers if ``new`` has headers of its own."""
    if "headers" not in new:
        return old
    return {key: value for key, value in old.items() if key != "headers_for"}


def needs_origins(headers: Iterable[str]) -> bool:
    """Return whether one of these headers may be sent to some origins only."""
    return not all(map(is_preference, headers))
