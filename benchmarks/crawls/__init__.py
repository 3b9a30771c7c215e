"""Whole crawls over real HTTP on loopback: speed, memory, resuming, search, being watched, hostile hosts.

One question a file, answered by its ``run``. ``command`` runs and measures ``homing`` as a command,
``scrapy_spider`` is the peer that throughput is compared with, and ``process_watch`` looks at the event loop
and the memory of a crawl in this process.
"""
