"""Strategies that move cash along links."""
