"""Recorded webs: written once, replayed and served as often as wanted."""
