"""Seeds: checks of a single URL, and files that list them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from pathlib import Path

from publicsuffixlist import PublicSuffixList

from homing import urls
from homing.errors import UsageError


def check_seed(text: str) -> None:
    """Raise ``ValueError`` for a text that is no URL to start from.

    >>> check_seed("example.org")
    Traceback (most recent call last):
    ValueError: "example.org": a seed must start with http:// or https://; did you mean https://example.org?
    """
    if not text.lower().startswith(("http://", "https://")):
        hint = f"; did you mean https://{text}?" if looks_like_address(text) else ""
        raise ValueError(f'"{text}": a seed must start with http:// or https://{hint}')
    if urls.canonical(text) is None:
        raise ValueError(f'"{text}" is no valid URL')


def looks_like_address(text: str) -> bool:
    """Return whether a text is a host name, perhaps with a path, that only lacks its scheme.

    A dot is not enough: ``node.js`` is a topic. The ending must be a public suffix.

    >>> [looks_like_address(text) for text in ("example.org/a", "localhost:8", "10.0.0.1", "node.js", "bee")]
    [True, True, True, False, False]
    """
    if "://" in text or any(letter.isspace() for letter in text):
        return False
    host = text.partition("/")[0].partition(":")[0].lower()
    return host == "localhost" or _is_address(host) or _suffixes().privatesuffix(host) is not None


def read_seed_file(path: Path) -> tuple[str, ...]:
    """Return the URLs of a file, one per line. Empty lines and lines that begin with ``#`` are skipped."""
    found: dict[str, None] = {}
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                url = line.strip()
                if not url or url.startswith("#"):
                    continue
                try:
                    check_seed(url)
                except ValueError as problem:
                    raise UsageError(f"{path}, line {number}: {problem}") from None
                found[url] = None
    except OSError as error:
        raise UsageError(f"cannot read the seed file {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the seed file {path} is not UTF-8 text") from None
    if not found:
        raise UsageError(f"the seed file {path} holds no URL")
    return tuple(found)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
