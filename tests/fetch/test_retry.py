import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from homing.fetch.retry import requested_rest, retry_after
from homing.fetch.settings import Limits
from homing.model import Reply


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


@pytest.mark.parametrize(("header", "rest"), [("120", 120.0), ("7200", 3_600.0), ("soon", None)])
def test_the_rest_that_a_host_requests_is_capped(header: str, rest: float | None) -> None:
    url = "http://a.org/"
    reply = Reply(url=url, final_url=url, status=503, headers=(("Retry-After", header),))
    assert requested_rest(reply, Limits(), 0.0) == rest
