"""Pages from templates: what all of them share, and figures as people read them."""

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
from homing.serve.crawl.folder import CrawlFolder

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
"""What stands at the head of every page."""
_OF_NO_CRAWL = frozenset({"/new", "/lab"})
"""The others are there once for each crawl."""


def number(value: float | None) -> str:
    """With as many digits as one can use.

    >>> number(12345), number(3.14159), number(0.0), number(None)
    ('12,345', '3.1', '0.0', '–')
    """
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def percent(value: float) -> str:
    """A share.

    >>> percent(0.4123)
    '41.2 %'
    """
    return f"{value * 100:.1f} %"


def size(value: float) -> str:
    """Bytes.

    >>> size(900), size(12_345_678)
    ('900 B', '12.3 MB')
    """
    if value < 1000:
        return f"{value:.0f} B"
    thousands = min(int(math.log10(value) / 3), 4)
    return f"{value / 1000**thousands:.1f} {' kMGT'[thousands]}B"


def duration(seconds: float) -> str:
    """How long.

    >>> duration(2.84), duration(75), duration(3725)
    ('2.8 s', '1 min 15 s', '1 h 2 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


def moment(at: float) -> str:
    """A time of UTC, to the second.

    >>> moment(1_700_000_000.0)
    '2023-11-14 22:13:20'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def with_query(path: str, **values: object) -> str:
    """An address of ours; values that say nothing are left out.

    >>> with_query("/pages", host="a.example", after=None, q="")
    '/pages?host=a.example'
    """
    given = {name: value for name, value in values.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


def is_web(url: str) -> bool:
    """Whether a URL may become a link: ``javascript:`` and the like are text and stay text."""
    return url.startswith(("http://", "https://"))


def environment() -> Environment:
    """Where the templates are; everything that comes from the web is escaped on its way in."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "number": number,
        "percent": percent,
        "size": size,
        "duration": duration,
        "moment": moment,
        "host": urls.host,
    }
    made.tests["web"] = is_web
    return made


class Screens:
    """Renders whole pages of one crawl.

    Parameters
    ----------
    root
        What the addresses of this crawl's pages begin with: nothing, or ``/crawls/NAME``.
    """

    def __init__(self, folder: CrawlFolder, root: str = "") -> None:
        self.root = root
        self.environment = environment()
        self.environment.globals |= {
            "crawl_name": folder.name,
            "topic": folder.topic(),
            "root": root,
            "with_query": self.address,
            "navigation": [
                (label, path if path in _OF_NO_CRAWL else root + path) for label, path in NAVIGATION
            ],
        }
        self._templates = Jinja2Templates(env=self.environment)

    def address(self, path: str, **values: object) -> str:
        """The address of a page of this crawl."""
        return with_query(self.root + path, **values)

    def page(
        self, request: Request, template: str, context: Mapping[str, object], status: int = 200
    ) -> Response:
        """A page of the app."""
        return self._templates.TemplateResponse(request, template, dict(context), status_code=status)
