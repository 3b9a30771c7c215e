"""Benchmarks: one file a question. Each prints a figure and a ratio, because machines differ."""
