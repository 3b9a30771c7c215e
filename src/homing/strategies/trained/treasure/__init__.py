"""Treasure-Crawler: compares where a link stands with places known to lead to targets."""
