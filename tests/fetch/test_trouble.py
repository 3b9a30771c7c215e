import math
import socket
import ssl

import aiohttp
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from homing.fetch.trouble import DroppedError, explain, retry_after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        (" 30 ", 30.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        ("Thursday, 01-Jan-70 00:02:00 GMT", 60.0),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(header: str, seconds: float) -> None:
    assert retry_after(header, 60.0) == seconds


@pytest.mark.parametrize(
    "header", ["", "soon", "-5", "1.5", "٣", "9" * 400, "Mon, 99 Foo 20000 99:99:99 GMT"]
)
def test_a_retry_after_that_says_nothing_is_none(header: str) -> None:
    assert retry_after(header, 0.0) is None


@given(st.text(max_size=40))
@example("Fri, 31 Dec 9999 23:59:59 -2359")
@example("Sat, 01 Jan 0001 00:00:00 +2359")
def test_no_retry_after_makes_us_stumble(header: str) -> None:
    seconds = retry_after(header, 1e9)
    assert seconds is None or (seconds >= 0 and math.isfinite(seconds))


def test_a_name_that_does_not_exist_is_not_asked_for_again_and_a_silent_name_server_is() -> None:
    key = aiohttp.client_reqrep.ConnectionKey("a.org", 80, False, True, None, None, None)
    gone = explain(aiohttp.ClientConnectorDNSError(key, socket.gaierror(socket.EAI_NONAME, "unknown")))
    silent = explain(aiohttp.ClientConnectorDNSError(key, socket.gaierror(socket.EAI_AGAIN, "try again")))
    assert (gone.kind, gone.attempts) == ("dns", 1)
    assert silent.kind == "dns"
    assert silent.attempts > 1


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (DroppedError("x"), "connect"),
        (ConnectionResetError("x"), "connect"),
        (aiohttp.ServerDisconnectedError(), "connect"),
        (aiohttp.ClientPayloadError("x"), "protocol"),
        (aiohttp.ClientError("x"), "protocol"),
        (aiohttp.InvalidURL("x"), "url"),
        (ssl.SSLError("x"), "tls"),
    ],
)
def test_every_error_of_the_network_has_a_kind(error: aiohttp.ClientError | OSError, kind: str) -> None:
    assert explain(error).kind == kind


def test_details_are_one_short_line_whatever_a_stranger_put_in() -> None:
    detail = explain(aiohttp.ClientError("line\r\nbreak " + "x" * 999)).detail
    assert detail.startswith("line break x")
    assert len(detail) == 200
