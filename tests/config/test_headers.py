"""Which origins the headers of a configuration belong to; what is sent is in tests/integration."""

from pathlib import Path

import pytest

from homing.config import Config, ConfigError

HOME, OTHER = "https://home.example", "https://other.example"


def given(*seeds: str, headers_for: tuple[str, ...] = ()) -> Config:
    fetch: dict[str, object] = {"headers": {"Cookie": "a=b"}}
    fetch |= {"headers_for": list(headers_for)} if headers_for else {}
    return Config.of({"seeds": {"urls": list(seeds)}, "fetch": fetch})


def test_headers_are_for_the_origins_of_the_seeds_they_were_given_with() -> None:
    assert given(f"{HOME}/a", f"{HOME}/b", f"{OTHER}:8443/").bound().fetch.headers_for == (
        HOME,
        f"{OTHER}:8443",
    )


def test_they_stay_so_when_seeds_are_added() -> None:
    bound = given(f"{HOME}/").bound()
    more = bound.merged({"seeds": {"urls": [f"{HOME}/", f"{OTHER}/"]}})
    assert more.bound().fetch.headers_for == (HOME,)
    assert more.located(Path("/")).fetch.headers_for == (HOME,)


def test_other_headers_are_not_for_the_same_origins() -> None:
    other = given(f"{HOME}/").bound().merged({"fetch": {"headers": {"Cookie": "new"}}})
    assert other.fetch.headers_for == ()


def test_the_user_can_name_the_origins() -> None:
    assert given(f"{OTHER}/", headers_for=(f"{HOME}/login",)).bound().fetch.headers_for == (HOME,)
    with pytest.raises(ConfigError, match=r"headers_for must be origins such as \"https://example.org\""):
        given(HOME, headers_for=("example.org",))


def test_without_headers_or_seeds_there_is_nothing_to_decide() -> None:
    assert Config.of({"seeds": {"urls": [HOME]}}).bound().fetch.headers_for == ()
    assert given().bound().fetch.headers_for == ()


def test_a_seed_file_counts_as_seeds(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text(f"{HOME}/\n")
    config = given().merged({"seeds": {"file": "seeds.txt"}}).located(tmp_path)
    assert config.fetch.headers_for == (HOME,)


def test_a_configuration_for_other_seeds_has_none() -> None:
    fetch = given(HOME).bound().without_headers().fetch
    assert (fetch.headers, fetch.headers_for) == ({}, ())
