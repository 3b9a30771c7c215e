"""The ports of the crawler: the engine knows each of its parts only by one of these Protocols.

A live crawl, the lab and the tests are the same engine with other parts: swap the fetcher for a replay of a
recorded web, the clock for a step counter, the store for one in memory.

``network``   Clock Fetcher RateLimit ByteBudget
``topic``     Parser Judge Reader Strategy
``frontier``  Scope Traps Frontier (with its UrlTable and Hosts) View
``storage``   Store, in three: VisitStore (of each NewVisit) ResumeStore GraphStore; Backlinks
"""

from homing.ports.frontier import Frontier, HostQueue, Hosts, Scope, Traps, UrlTable, View
from homing.ports.network import ByteBudget, Clock, Fetcher, RateLimit
from homing.ports.storage import Backlinks, GraphStore, NewVisit, ResumeStore, Store, VisitStore
from homing.ports.topic import Judge, Learns, Merges, Parser, Reader, Strategy

__all__ = [
    "Backlinks",
    "ByteBudget",
    "Clock",
    "Fetcher",
    "Frontier",
    "GraphStore",
    "HostQueue",
    "Hosts",
    "Judge",
    "Learns",
    "Merges",
    "NewVisit",
    "Parser",
    "RateLimit",
    "Reader",
    "ResumeStore",
    "Scope",
    "Store",
    "Strategy",
    "Traps",
    "UrlTable",
    "View",
    "VisitStore",
]
