"""Experiments: one file a question; what they find is written to docs/, never typed there."""
