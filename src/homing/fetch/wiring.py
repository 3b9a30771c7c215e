"""Build the fetcher that a configuration describes."""

from __future__ import annotations

from homing.config import Config
from homing.fetch.body import BodyBudget
from homing.fetch.fetcher import HttpFetcher
from homing.fetch.robots import LoadRobots
from homing.fetch.settings import Identity, Limits
from homing.ports import Clock
from homing.urls import canonical


def fetcher_of(
    config: Config, load_robots: LoadRobots, clock: Clock, budget: BodyBudget | None = None
) -> HttpFetcher:
    """Build a fetcher under the settings of ``[fetch]`` and ``[pace]``."""
    fetch, pace = config.fetch, config.pace
    return HttpFetcher(
        clock=clock,
        load_robots=load_robots,
        identity=identity_of(config),
        limits=Limits(**dict(fetch), **dict(pace)),
        allow_networks=fetch.allow_network,
        proxy=fetch.proxy,
        connect_to=fetch.connect_to,
        bytes_per_second=pace.bytes_per_second,
        sitemaps=fetch.sitemaps,
        budget=budget,
    )


def identity_of(config: Config) -> Identity:
    """Return the identity sent with every request."""
    return Identity(
        user_agent=config.fetch.user_agent,
        contact=config.fetch.contact,
        headers=config.fetch.headers,
        trusted=frozenset(config.fetch.headers_for),
    )


def seeds_of(config: Config) -> list[str]:
    """Return the seed URLs in canonical spelling."""
    return [url for url in map(canonical, config.seeds.urls) if url]
