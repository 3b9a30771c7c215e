"""The fetcher that a configuration asks for."""

from __future__ import annotations

from homing.config import Config
from homing.fetch.budget import BodyBudget
from homing.fetch.client import HttpFetcher
from homing.fetch.permission import Recall
from homing.fetch.settings import Identity, Limits
from homing.ports import Clock
from homing.urls import canonical, origin


def fetcher_of(
    config: Config, recall_robots: Recall, clock: Clock, budget: BodyBudget | None = None
) -> HttpFetcher:
    """A fetcher under the rules of ``[fetch]`` and ``[pace]``."""
    fetch, pace = config.fetch, config.pace
    return HttpFetcher(
        clock=clock,
        recall_robots=recall_robots,
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
    """Who asks."""
    return Identity(
        user_agent=config.fetch.user_agent,
        contact=config.fetch.contact,
        headers=config.fetch.headers,
        trusted=frozenset(map(origin, seeds_of(config))),
    )


def seeds_of(config: Config) -> list[str]:
    """Where to begin, in canonical spelling."""
    return [url for url in map(canonical, config.seeds.urls) if url]
