"""Renders pages from templates, with figures formatted for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

from fastapi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.templating import Jinja2Templates

from homing import urls
from homing.serve.crawl.crawl_folder import CrawlFolder

HERE = Path(__file__).parents[1]

NAVIGATION = (
    ("Dashboard", "/"),
    ("Pages", "/pages"),
    ("Hosts", "/hosts"),
    ("Search", "/search"),
    ("Steer", "/steer"),
    ("New crawl", "/new"),
    ("Lab", "/lab"),
    ("API", "/api"),
)
"""Labels and paths of the navigation bar."""
_SHARED = frozenset({"/new", "/lab"})
"""Pages that exist once; the others exist for each crawl."""


def number(value: float | None) -> str:
    """Format a number: integers with thousands separators, others with one decimal.

    >>> number(12345), number(3.14159), number(0.0), number(None)
    ('12,345', '3.1', '0.0', '–')
    """
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def percent(value: float) -> str:
    """Format a share.

    >>> percent(0.4123)
    '41.2 %'
    """
    return f"{value * 100:.1f} %"


def size(value: float) -> str:
    """Format a number of bytes.

    >>> size(900), size(12_345_678)
    ('900 B', '12.3 MB')
    """
    if value < 1000:
        return f"{value:.0f} B"
    thousands = min(int(math.log10(value) / 3), 4)
    return f"{value / 1000**thousands:.1f} {' kMGT'[thousands]}B"


def duration(seconds: float) -> str:
    """Format a duration.

    >>> duration(2.84), duration(75), duration(3725)
    ('2.8 s', '1 min 15 s', '1 h 2 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


def moment(at: float) -> str:
    """Format a time in UTC, to the second.

    >>> moment(1_700_000_000.0)
    '2023-11-14 22:13:20'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def words(kind: str) -> str:
    """Return the name of a command as words.

    >>> words("add_seeds")
    'add seeds'
    """
    return kind.replace("_", " ")


def payload(fields: Mapping[str, object]) -> str:
    """Format the payload of a command: texts as they are, other values with their names.

    >>> payload({"url": "https://a.example/", "relevant": True}), payload({"pages_per_second": None})
    ('https://a.example/, relevant: true', 'pages per second: no limit')
    """
    return ", ".join(_part(name, value) for name, value in fields.items())


def _part(name: str, value: object) -> str:
    match value:
        case str():
            return value
        case list():
            return " ".join(map(str, value))
        case None:
            return f"{words(name)}: no limit"
        case bool():
            return f"{words(name)}: {str(value).lower()}"
    return f"{words(name)}: {value}"


def with_query(path: str, **values: object) -> str:
    """Return a path with its query; empty values are left out.

    >>> with_query("/pages", host="a.example", after=None, q="")
    '/pages?host=a.example'
    """
    given = {name: value for name, value in values.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


def is_web(url: str) -> bool:
    """Tell whether a URL may become a link: ``javascript:`` and the like stay text."""
    return url.startswith(("http://", "https://"))


def environment() -> Environment:
    """Return the template environment; it escapes every value."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "number": number,
        "percent": percent,
        "size": size,
        "duration": duration,
        "moment": moment,
        "words": words,
        "payload": payload,
        "host": urls.host,
    }
    templates.tests["web"] = is_web
    return templates


class Renderer:
    """Renders the pages of one crawl.

    Parameters
    ----------
    root
        The prefix of the addresses of this crawl's pages: nothing, or ``/crawls/NAME``.
    """

    def __init__(self, folder: CrawlFolder, root: str = "") -> None:
        self.root = root
        self.environment = environment()
        self.environment.globals |= {
            "crawl_name": folder.name,
            "topic": folder.topic(),
            "root": root,
            "with_query": self.address,
            "navigation": [(label, path if path in _SHARED else root + path) for label, path in NAVIGATION],
        }
        self._templates = Jinja2Templates(env=self.environment)

    def address(self, path: str, **values: object) -> str:
        """Return the address of a page of this crawl."""
        return with_query(self.root + path, **values)

    def page(
        self, request: Request, template: str, context: Mapping[str, object], status: int = 200
    ) -> Response:
        """Render a page of the app."""
        return self._templates.TemplateResponse(request, template, dict(context), status_code=status)
