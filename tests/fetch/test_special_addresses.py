"""Addresses are refused as the two IANA special-purpose address registries say (RFC 6890, RFC 8190).

``tests/data/special-purpose-addresses.csv`` has them: prefix, name, RFC, globally reachable or not.
"""

from __future__ import annotations

import csv
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path

import pytest

from homing.fetch.address_guard import AddressGuard

Network = IPv4Network | IPv6Network

REGISTRIES = Path(__file__).parents[1] / "data" / "special-purpose-addresses.csv"
with REGISTRIES.open(newline="", encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
REACHABLE = [ip_network(row["prefix"]) for row in ROWS if row["globally reachable"] == "yes"]
NOT_REACHABLE = [ip_network(row["prefix"]) for row in ROWS if row["globally reachable"] != "yes"]

SPELLING = ip_network("::ffff:0:0/96")
"""No addresses of its own: one of these is an IPv4 address, and judged as that."""
TRANSLATED = ip_network("64:ff9b::/96")
"""Leads to the IPv4 address in its last bits, and is judged by that."""
NEAREST = [
    *map(ip_network, ("192.0.0.9/32", "192.0.0.10/32")),
    *map(ip_network, ("2001:1::1/128", "2001:1::2/128", "2001:1::3/128")),
]
"""Reachable, but answered by the nearest server of PCP, TURN or DNS-SD: a router of one's own network."""
OTHERS = ["224.0.0.0/4", "ff00::/8", "fec0::/10", "168.63.129.16/32", "::/96", "::ffff:0:0:0/96", "4000::/3"]
"""Not in these registries, and refused: multicast, site-local, metadata, IPv4 in IPv6, unassigned."""


def samples(network: Network) -> set[str]:
    """The first, the last and a middle address."""
    first, size = int(network.network_address), network.num_addresses
    kind = IPv4Address if network.version == 4 else IPv6Address
    return {str(kind(first + offset)) for offset in (0, size // 2, size - 1)}


def is_reachable(address: str) -> bool:
    """Whether the most specific prefix in the registries that holds an address says so."""
    holding = [each for each in (*REACHABLE, *NOT_REACHABLE) if ip_address(address) in each]
    return max(holding, key=lambda each: each.prefixlen, default=None) in REACHABLE


def embedded(address: str) -> dict[str, str]:
    """An IPv4 address in everything that can carry one."""
    low = int(IPv4Address(address))
    return {
        "mapped": f"::ffff:{address}",
        "compatible": f"::{address}",
        "SIIT": str(IPv6Address((0xFFFF << 48) | low)),
        "NAT64": str(IPv6Address((0x64FF9B << 96) | low)),
        "NAT64, local": str(IPv6Address((0x64FF9B0001 << 80) | low)),
        "6to4": str(IPv6Address((0x2002 << 112) | low << 80 | 1)),
        "Teredo": str(IPv6Address((0x20010000 << 96) | 0x08080808 << 64 | (low ^ 0xFFFF_FFFF))),
        "Teredo server": str(IPv6Address((0x20010000 << 96) | low << 64 | 0xF7F7F7F7)),
    }


@pytest.mark.parametrize("network", [*NOT_REACHABLE, *map(ip_network, OTHERS)], ids=str)
def test_what_is_not_globally_reachable_is_refused(network: Network) -> None:
    for address in samples(network):
        if network == SPELLING:
            as_ipv4 = IPv6Address(address).ipv4_mapped
            assert bool(AddressGuard().objection(address)) == bool(AddressGuard().objection(str(as_ipv4)))
        elif not is_reachable(address):
            assert AddressGuard().objection(address), address


@pytest.mark.parametrize(
    "network", [each for each in (*NOT_REACHABLE, ip_network("224.0.0.0/4")) if each.version == 4], ids=str
)
def test_it_is_refused_whatever_carries_it(network: Network) -> None:
    for address in samples(network):
        for carrier, spelled in embedded(address).items():
            assert AddressGuard().objection(spelled), f"{address} as {carrier}: {spelled}"


def test_of_all_that_carries_a_public_ipv4_address_two_are_open() -> None:
    opened = {
        name for name, spelled in embedded("93.184.215.14").items() if not AddressGuard().objection(spelled)
    }
    assert opened == {"mapped", "NAT64"}


@pytest.mark.parametrize("network", REACHABLE, ids=str)
def test_what_is_globally_reachable_is_open_but_for_the_nearest_server(network: Network) -> None:
    for address in samples(network):
        if network == TRANSLATED:
            carried = str(IPv4Address(int(IPv6Address(address)) & 0xFFFF_FFFF))
            assert bool(AddressGuard().objection(address)) == bool(AddressGuard().objection(carried))
        else:
            assert bool(AddressGuard().objection(address)) == (network in NEAREST), address


@pytest.mark.parametrize("network", [*NOT_REACHABLE, *NEAREST, *map(ip_network, OTHERS)], ids=str)
def test_each_of_them_can_be_opened(network: Network) -> None:
    for address in samples(network):
        opened = [str(network), "0.0.0.0/0"] if network == SPELLING else [str(network)]
        assert AddressGuard(opened).objection(address) == "", address


def test_the_neighbours_of_the_special_prefixes_are_open() -> None:
    neighbours = """
        9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
        169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.88.98.255 192.88.100.0
        192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.15 168.63.129.17
        2000:: 2001:200:: 2001:db7:ffff::1 2001:db9:: 2003:: 3ffe:ffff::1 3fff:1000::
    """
    assert {each: why for each in neighbours.split() if (why := AddressGuard().objection(each))} == {}
