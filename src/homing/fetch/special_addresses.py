"""Which addresses are public: all but those that are special by IANA's registries.

These are the IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190). Python's ``is_global``
follows them as they were when that version of Python was made, and not in everything, so they are written
out here. What they call not globally reachable is refused, and so is what they have given up (6to4 and its
relays, Teredo, ORCHID). All of IPv6 is refused outside the block that IANA assigns to hosts.

What they call globally reachable is public: the servers of AS112 and AMT, ORCHIDv2, identifiers of drones.
Not so the anycast addresses of PCP, TURN and DNS-SD: the nearest server answers, and that is a router of
one's own network.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network

Address = IPv4Address | IPv6Address
Range = tuple[int, int, str]
"""First and last address as numbers, and what they are."""

LOOPBACK, LINK_LOCAL, MULTICAST = "a loopback address", "a link-local address", "a multicast address"
OTHER = "a private or reserved address"

_ASSIGNED = ("0.0.0.0/0", "2000::/3")
"""Where addresses of public hosts are."""

_PUBLIC = (
    "64:ff9b::/96",  # NAT64; it leads to the IPv4 address in it, which is judged as well
    "2001:3::/32",  # AMT
    "2001:4:112::/48",  # AS112
    "2001:20::/28",  # ORCHIDv2
    "2001:30::/28",  # identifiers of drones
)
"""Parts of what is refused."""

_REFUSED = {
    "127.0.0.0/8": LOOPBACK,
    "::1/128": LOOPBACK,
    "169.254.0.0/16": LINK_LOCAL,  # metadata services of clouds are here
    "fe80::/10": LINK_LOCAL,
    "224.0.0.0/4": MULTICAST,
    "ff00::/8": MULTICAST,
    "0.0.0.0/8": OTHER,
    "10.0.0.0/8": OTHER,
    "100.64.0.0/10": OTHER,  # between a provider and its customers
    "168.63.129.16/32": OTHER,  # public by its number, the metadata service inside Azure's machines
    "172.16.0.0/12": OTHER,
    "192.0.0.0/24": OTHER,  # protocol assignments; Oracle's clouds have their metadata service here
    "192.0.2.0/24": OTHER,  # documentation
    "192.88.99.0/24": OTHER,  # relays of 6to4
    "192.168.0.0/16": OTHER,
    "198.18.0.0/15": OTHER,  # benchmarks
    "198.51.100.0/24": OTHER,  # documentation
    "203.0.113.0/24": OTHER,  # documentation
    "240.0.0.0/4": OTHER,
    "2001::/23": OTHER,  # protocol assignments, Teredo among them
    "2001:db8::/32": OTHER,  # documentation
    "2002::/16": OTHER,  # 6to4; it carries an IPv4 address of any kind
    "3fff::/20": OTHER,  # documentation
}


def kind_unless_public(address: Address) -> str:
    """Return the kind of an address that is not public; empty if it is public.

    >>> kind_unless_public(IPv4Address("10.0.0.1")), kind_unless_public(IPv6Address("2606:4700::1111"))
    ('a private or reserved address', '')
    """
    number = int(address)
    for first, last, kind in _RANGES[address.version]:
        if first <= number <= last:
            return kind
    return OTHER


def _ranges(version: int) -> list[Range]:
    """Return the ranges of one version; the first that holds an address says what it is."""
    rows = [*dict.fromkeys(_PUBLIC, "").items(), *_REFUSED.items(), *dict.fromkeys(_ASSIGNED, "").items()]
    networks = [(ip_network(prefix), kind) for prefix, kind in rows]
    return [
        (int(network.network_address), int(network.broadcast_address), kind)
        for network, kind in networks
        if network.version == version
    ]


_RANGES = {4: _ranges(4), 6: _ranges(6)}
