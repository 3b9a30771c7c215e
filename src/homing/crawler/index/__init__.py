"""Keeping the full-text index up to date with the catalog."""
