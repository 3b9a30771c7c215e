"""Requests that send too much."""

from collections.abc import Iterator

import httpx
import pytest
from tests.serve.serving import TOKEN

from homing.serve.body_limit import LARGEST

BEARER = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def command(size: int) -> bytes:
    """A command of that size which is not carried out."""
    kind = b'{"kind": "no such kind", "pattern": "'
    return kind + b"x" * (size - len(kind) - 2) + b'"}'


def in_chunks(body: bytes) -> Iterator[bytes]:
    yield from (body[start : start + 65_536] for start in range(0, len(body), 65_536))


@pytest.mark.parametrize("path", ["/api/commands", "/api/labels"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused_in_one_line(
    client: httpx.Client, path: str, chunked: bool
) -> None:
    body = command(LARGEST + 1)
    reply = client.post(path, content=in_chunks(body) if chunked else body, headers=BEARER)
    assert reply.status_code == 413
    assert "the body is too large: at most 10,000,000 bytes" in reply.text
    assert reply.text.count("\n") <= 1


def test_a_length_of_thousands_of_digits_is_refused(client: httpx.Client) -> None:
    request = client.build_request("POST", "/api/commands", content=b"{}", headers=BEARER)
    request.headers["Content-Length"] = "9" * 5_000
    with pytest.raises(httpx.HTTPError):  # by the server itself, which closes the connection
        client.send(request).raise_for_status()
    assert client.get("/api/report").status_code == 200


def test_a_body_within_the_limit_is_read(client: httpx.Client) -> None:
    reply = client.post("/api/commands", content=command(LARGEST), headers=BEARER)
    assert reply.status_code == 422
