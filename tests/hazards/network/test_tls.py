"""TLS that proves nothing: expired, for another host, by an unknown authority.

Expected: a failure with the reason, and no request is sent.
"""

import datetime
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import trustme
from tests.hazards.hosts import OUTSIDE, Hosts

AUTHORITY = trustme.CA()
PAST = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
CERTIFICATES = {
    "good.example": (AUTHORITY.issue_cert("good.example"), ""),
    "expired.example": (AUTHORITY.issue_cert("expired.example", not_after=PAST), "expired"),
    "other.example": (AUTHORITY.issue_cert("another.example"), "mismatch"),
    "unknown.example": (trustme.CA().issue_cert("unknown.example"), "issuer"),
}


REQUESTED: set[str] = set()


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        REQUESTED.add(self.headers["Host"])
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore that the client closes the connection, as it should."""


@contextmanager
def serve(certificate: trustme.LeafCert) -> Iterator[int]:
    """Run an HTTPS server with this certificate in a thread; yield its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    server = Server((OUTSIDE, 0), Answers)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_bad_certificate_is_a_failure_with_its_reason(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context()
    AUTHORITY.configure_trust(trusting)
    monkeypatch.setattr("aiohttp.connector._SSL_CONTEXT_VERIFIED", trusting)
    with ExitStack() as servers:
        for name, (certificate, _) in CERTIFICATES.items():
            hosts.names.ports[name] = servers.enter_context(serve(certificate))
        hosts.crawl(*(f"https://{name}/" for name in CERTIFICATES))
    for name, (_, reason) in CERTIFICATES.items():
        failure = hosts.failure(f"https://{name}/")
        assert (failure.kind if failure else "") == ("tls" if reason else "")
        assert reason in (failure.detail if failure else "")
    assert {"good.example"} == REQUESTED
    assert list(hosts.pages()) == ["https://good.example/"]
