import pytest

from homing.header_values import LONGEST, is_preference, is_sendable, returnable


@pytest.mark.parametrize("letter", ["\x00", "\t", "\r", "\n", "\x1b", "\x7f", "\x85", "\x9b", "\udce9"])
def test_control_characters_and_lone_surrogates_cannot_be_sent(letter: str) -> None:
    assert not is_sendable(f"a{letter}b")
    assert returnable(f"a{letter}b") == ""


def test_text_can_be_sent_whatever_its_script() -> None:
    assert returnable('W/"été 中"') == 'W/"été 中"'


def test_a_value_longer_than_servers_read_is_not_returned() -> None:
    assert returnable("a" * LONGEST)
    assert not returnable("a" * (LONGEST + 1))


@pytest.mark.parametrize(
    "name", ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Host", "X-Open"]
)
def test_whatever_may_hold_a_key_is_no_preference(name: str) -> None:
    assert not is_preference(name)
    assert not is_preference(name.upper())


@pytest.mark.parametrize(
    "name", ["Accept", "ACCEPT-LANGUAGE", "dnt", "Cache-Control", "Sec-GPC", "User-Agent"]
)
def test_preferences_tell_no_secret(name: str) -> None:
    assert is_preference(name)
