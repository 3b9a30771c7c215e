import socket
import ssl

import aiohttp
import pytest

from homing.fetch.exchange import making_a_request
from homing.fetch.request_failure import DroppedError, UnsendableError, explain


def test_a_name_that_does_not_exist_is_final_and_a_silent_name_server_is_not() -> None:
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
        (UnsendableError("x"), "url"),
        (ssl.SSLError("x"), "tls"),
    ],
)
def test_every_error_of_the_network_has_a_kind(error: aiohttp.ClientError | OSError, kind: str) -> None:
    assert explain(error).kind == kind


def test_details_are_one_short_line_whatever_a_stranger_put_in() -> None:
    detail = explain(aiohttp.ClientError("line\r\nbreak " + "x" * 999)).detail
    assert detail.startswith("line break x")
    assert len(detail) == 200


@pytest.mark.parametrize("raised", [ValueError("port"), UnicodeError("label empty or too long")])
def test_a_value_that_the_libraries_refuse_is_a_failure_that_no_retry_mends(raised: ValueError) -> None:
    with pytest.raises(UnsendableError) as caught, making_a_request():
        raise raised
    failure = explain(caught.value)
    assert (failure.kind, failure.detail, failure.attempts) == ("url", str(raised), 1)
    assert not failure.requested


@pytest.mark.parametrize(
    "raised", [aiohttp.InvalidURL("x"), ssl.SSLCertVerificationError("x"), TimeoutError()]
)
def test_errors_that_say_more_are_left_as_they_are(raised: Exception) -> None:
    with pytest.raises(type(raised)), making_a_request():
        raise raised
