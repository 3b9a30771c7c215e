"""Strategies that classify pages and links by their distance to a target."""
