"""The answers of the REST API that are no success, for its description as OpenAPI."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Depends
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict

NEEDS_TOKEN = Depends(HTTPBearer(auto_error=False, description="The token that homing serve printed."))
"""Describes that a route needs the token; ``AccessControl`` sees to it before any route is reached."""

_MEANINGS = {
    400: "A query that cannot be read, or a host name that is not allowed.",
    401: "The token is missing.",
    403: "Not the token, or a change that comes from another site.",
    404: "Unknown to this crawl.",
    409: "Not possible in the present state of the crawl.",
    413: "The body is too large.",
    422: "A parameter or the body has not the form described here.",
    503: "The crawl folder cannot be read at present.",
}
_BY_ACCESS_CONTROL = frozenset({400, 401, 403, 413})
"""Statuses that may be answered before a route is reached, as a line of text."""


class Problem(BaseModel):
    """Why a request was refused."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    detail: str
    """One line for people."""


def problems(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Return these answers as FastAPI describes them."""
    return {status: _described(HTTPStatus(status)) for status in statuses}


def _described(status: int) -> dict[str, object]:
    described: dict[str, object] = {"model": Problem, "description": _MEANINGS[status]}
    if status in _BY_ACCESS_CONTROL:
        described["content"] = {"text/plain": {"schema": {"type": "string"}}}
    return described


ANYWHERE = problems(400, 401, 403, 503)
"""Answers that any route may give."""
