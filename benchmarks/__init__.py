"""Benchmarks: one file a question. Each prints figures and ratios, because machines differ.

Begin with ``__main__``, which lists them all. ``crawls`` has the questions about whole crawls over real HTTP,
``parts`` those about one part at a time, ``servers`` what is crawled. ``report`` shows the results and writes
docs/benchmarks.md; ``path`` counts the files and functions that one page runs through.
"""
