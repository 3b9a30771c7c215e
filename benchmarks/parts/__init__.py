"""One part at a time, without a network: start-up, frontier, judges, strategies, the lab.

One question a file, answered by its ``run``; pages are made up, from ``benchmarks/words.py``.
"""
