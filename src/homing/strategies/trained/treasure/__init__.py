"""``treasure``, the Treasure-Crawler: compares where a link stands with places known to lead to targets.

``tgraph`` is its T-Graph of ``passages``, ``postings`` compares texts with all of its nodes, ``watchdog``
keeps it up to date while the crawl runs.
"""
