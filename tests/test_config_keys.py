"""The keys of the configuration: each is declared once, and read from there."""

import pytest

from homing.config import Config
from homing.config.keys import Given, find, keys, tables_of


def test_every_key_explains_itself_in_one_sentence() -> None:
    for key in keys():
        assert key.setting.help.endswith("."), key.path
        assert ". " not in key.setting.help.replace("e.g. ", ""), key.path


def test_keys_of_an_option_have_one_option_each_but_for_what_is_shared() -> None:
    options = [key.option for key in keys() if key.option]
    assert {option for option in options if options.count(option) > 1} == {"--language", "--model"}


def test_every_number_has_bounds() -> None:
    assert all(key.bounds for key in keys() if key.is_number)
    delay, depth = find("pace", "delay"), find("scope", "max_depth")
    assert delay is not None
    assert depth is not None
    assert (delay.bounds, depth.bounds) == ((0, 86_400), (0, 1_000_000))


@pytest.mark.parametrize(
    ("path", "given", "value"),
    [
        (("stop", "pages"), "1e3", 1000),
        (("stop", "pages"), "many", "many"),
        (("topic", "text"), "500", "500"),
        (("scope", "include"), ["*.html"], ["*.html"]),
        (("scope", "include"), [], None),
        (("scope", "include"), None, None),
        (
            ("fetch", "headers"),
            ["Accept: text/html", "X-Time:10:30"],
            {"Accept": "text/html", "X-Time": "10:30"},
        ),
    ],
)
def test_what_was_typed_is_read_as_the_key_needs_it(
    path: tuple[str, str], given: Given, value: object
) -> None:
    key = find(*path)
    assert key is not None
    assert key.read(given) == value


def test_what_was_given_becomes_tables_of_a_configuration() -> None:
    chosen = [key for key in keys() if key.path in ("stop.pages", "scope.within", "pace.delay")]
    tables = tables_of(chosen, {"pages": "5", "scope": "host"})
    assert tables == {"scope": {"within": "host"}, "pace": {"delay": None}, "stop": {"pages": 5}}
    assert Config().merged(tables).given() == {"scope": {"within": "host"}, "stop": {"pages": 5}}
