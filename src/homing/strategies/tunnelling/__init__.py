"""Widening the topic when nothing is found."""
