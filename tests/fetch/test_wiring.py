from homing.config import Config
from homing.fetch.wiring import identity_of, seeds_of


def test_seeds_are_canonical_and_their_origins_trusted_with_the_headers_given_for_them() -> None:
    config = Config.of({"seeds": {"urls": ["http://A.org:80/x", "http://a.org/y"]}})
    assert seeds_of(config) == ["http://a.org/x", "http://a.org/y"]
    assert identity_of(config).trusted == set()
    given = config.merged({"fetch": {"headers": {"Cookie": "a=b"}}})
    assert identity_of(given).trusted == set()
    assert identity_of(given.bound()).trusted == {"http://a.org"}


def test_the_identity_is_that_of_the_configuration() -> None:
    config = Config.of({"fetch": {"user_agent": "plantbot/2.0", "contact": "https://plants.example/"}})
    assert identity_of(config).header == "plantbot/2.0 (+https://plants.example/)"
