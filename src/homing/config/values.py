"""Types of the values of a configuration, with their checks.

The text of a ``ValueError`` is appended to the name of the key (``complaints.py``).
"""

from __future__ import annotations

import ipaddress
import re
from datetime import time
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from homing.config.headers import check_origin
from homing.config.seeds import check_seed
from homing.config.sources import check_path, check_source
from homing.header_values import is_sendable

Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Patience = Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)]
PagesPerSecond = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]

Texts = Annotated[tuple[str, ...], Field(strict=False)]
"""A list in the file, a tuple in memory: a section never changes once it is read."""


def _check_language(code: str) -> str:
    if code and not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?", code):
        raise ValueError(f'must be a language code such as "en", not "{code}"')
    return code.lower()


def _check_header_text(text: str) -> str:
    # A line break in a header would start the next one (request splitting).
    if not is_sendable(text):
        raise ValueError("must not contain line breaks or other control characters")
    return text


def _check_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise ValueError(f'holds "{name}", which is no header name')
        _check_header_text(value)
    return headers


def _check_origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(check_origin, origins)))


def _check_networks(networks: tuple[str, ...]) -> tuple[str, ...]:
    for network in networks:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise ValueError(
                f'must be address ranges such as "10.0.0.0/8" or "127.0.0.1", not "{network}"'
            ) from None
    return networks


def _check_proxy(url: str) -> str:
    if url and not re.fullmatch(r"https?://[^\s/]+/?", url):
        raise ValueError(f'must be a URL such as "http://localhost:3128", not "{url}"')
    return url


def _check_connect_to(address: str) -> str:
    """Refuse what is not HOST:PORT, with an IPv6 address in brackets."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(\d{1,5})", address)
    if address and not (match and 1 <= int(match[2]) <= 65_535):
        raise ValueError(f'must be HOST:PORT such as "127.0.0.1:8080", not "{address}"')
    return address


def _check_contact(contact: str) -> str:
    if contact and not re.fullmatch(r"https?://\S+|[^\s@]+@[^\s@]+", contact):
        raise ValueError(f'must be a mail address or an http(s) URL, not "{contact}"')
    return contact


def _check_seeds(urls: tuple[str, ...]) -> tuple[str, ...]:
    for url in urls:
        check_seed(url)
    return tuple(dict.fromkeys(urls))


def _check_sources(sources: tuple[str, ...]) -> tuple[str, ...]:
    for source in sources:
        check_source(source)
    return tuple(dict.fromkeys(sources))


def _check_codes(codes: tuple[str, ...]) -> tuple[str, ...]:
    for code in codes:
        if not re.fullmatch(r"\S+", code):
            raise ValueError(f'must be codes such as "140", not "{code}"')
    return tuple(dict.fromkeys(codes))


def _read_time(value: object) -> time:
    if isinstance(value, time):
        return value
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f'must be a time of day such as "22:30", not {value!r}')
    return time(int(match[1]), int(match[2]))


def hyphenate(name: str) -> str:
    """Return ``link_context`` as ``link-context``."""
    return name.replace("_", "-")


def _check_parameter(value: object) -> object:
    """Refuse parameters that are tables or dates."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, bool | int | float | str) for item in items):
        raise ValueError("must be a text, a number, true or false, or a list of these")
    if any(isinstance(item, int) and abs(item) >= 2**63 for item in items):
        raise ValueError("must be a smaller number")
    return value


Name = Annotated[str, AfterValidator(hyphenate)]
"""Short name of a part; ``link_context`` is read as ``link-context``."""
Language = Annotated[str, AfterValidator(_check_language)]
HeaderText = Annotated[str, AfterValidator(_check_header_text)]
TimeOfDay = Annotated[time, BeforeValidator(_read_time)]
Parameter = Annotated[object, BeforeValidator(_check_parameter)]
Headers = Annotated[dict[str, str], AfterValidator(_check_headers)]
Origins = Annotated[Texts, AfterValidator(_check_origins)]
Networks = Annotated[Texts, AfterValidator(_check_networks)]
Proxy = Annotated[str, AfterValidator(_check_proxy)]
Address = Annotated[str, AfterValidator(_check_connect_to)]
Contact = Annotated[HeaderText, AfterValidator(_check_contact)]
Seeds = Annotated[Texts, AfterValidator(_check_seeds)]
File = Annotated[str, AfterValidator(check_path)]
Sources = Annotated[Texts, AfterValidator(_check_sources)]
Codes = Annotated[Texts, AfterValidator(_check_codes)]
