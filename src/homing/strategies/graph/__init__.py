"""Strategies that rank the frontier by the graph of the crawl."""
