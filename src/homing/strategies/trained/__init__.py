"""Strategies that are fitted before the crawl, on pages whose distance to a target is known."""
