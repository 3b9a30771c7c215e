"""Responses of the little web as values: pages, redirects, errors and files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from http import HTTPStatus

Headers = tuple[tuple[str, str], ...]

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A response, with the facts about the page that a crawler has to find out."""

    url: str
    status: int
    headers: Headers
    body: bytes
    topic: str = ""
    is_target: bool = False

    def header(self, name: str) -> str:
        """Return the first header of that name, or an empty string."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


def page(
    url: str,
    body: bytes,
    *,
    content_type: str = HTML,
    extra: Headers = (),
    topic: str = "",
    is_target: bool = False,
) -> WebPage:
    """Return a page with status 200 and an entity tag computed from its bytes."""
    tag = hashlib.sha1(body, usedforsecurity=False).hexdigest()[:16]
    headers = (("Content-Type", content_type), ("ETag", f'"{tag}"'), *extra)
    return WebPage(url=url, status=200, headers=headers, body=body, topic=topic, is_target=is_target)


def redirect(url: str, location: str, status: int = 301) -> WebPage:
    """Return a redirect."""
    body = f'<!DOCTYPE html><title>Moved</title><p>It is <a href="{location}">over there</a>.</p>'
    headers = (("Location", location), ("Content-Type", HTML))
    return WebPage(url=url, status=status, headers=headers, body=body.encode())


def refusal(url: str, status: int) -> WebPage:
    """Return an error page as sites have it: a little text and a link home."""
    reason = HTTPStatus(status).phrase
    body = (
        f'<!DOCTYPE html><html lang="en"><head><title>{status} {reason}</title></head>'
        f'<body><h1>{reason}</h1><p>Nothing to read at this address. <a href="/">Back to the start</a></p>'
        "</body></html>"
    )
    return WebPage(url=url, status=status, headers=(("Content-Type", HTML),), body=body.encode())
