"""Which redirects the fetcher follows itself.

A page's redirect is a reply like any other: the crawler settles the URL and offers the target, which is
then checked, paced and counted (``crawler/outcomes.py``, at most ten in a row). Two kinds are followed here:

- a robots.txt may redirect to any origin (RFC 9309);
- a page may redirect to another spelling of its own canonical URL, which has no entry of its own.
"""

from __future__ import annotations

import ada_url
from aiohttp import hdrs

from homing.fetch.request_failure import RequestFailure
from homing.model import Reply
from homing.urls import canonical, origin

MAX_ROBOTS_REDIRECTS = 5
MAX_RESPELLINGS = 3
"""Redirects in a row from one spelling of a URL to another."""


def robots_target(reply: Reply | RequestFailure) -> str | None:
    """Return where a redirect of robots.txt leads, if it leads anywhere we can send a request."""
    if isinstance(reply, RequestFailure) or not reply.is_redirect:
        return None
    return canonical(reply.header(hdrs.LOCATION), reply.url)


def respelled(reply: Reply | RequestFailure, url: str) -> str | None:
    """Return where a redirect leads, if that is the same canonical URL in another spelling.

    Our canonical form leaves out what hardly ever matters; here the host says that it does.
    """
    if isinstance(reply, RequestFailure) or not reply.is_redirect:
        return None
    location = reply.header(hdrs.LOCATION)
    if canonical(location, reply.final_url) != url:
        return None
    spelling = ada_url.join_url(reply.final_url, location).partition("#")[0]
    # A name and password in it would be sent, and the same URL again would bring the same answer.
    return None if "@" in origin(spelling) or spelling == reply.final_url else spelling
