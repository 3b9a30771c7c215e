"""``treasure``, the Treasure-Crawler: compares where a link stands with places known to lead to targets.

Begin with ``treasure``, which tells what such places say of a link. ``tgraph`` keeps them and finds those
that a link's passage is like, with ``postings``; ``passages`` reads them from pages; ``watchdog`` keeps them
up to date.
"""
