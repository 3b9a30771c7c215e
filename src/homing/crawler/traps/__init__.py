"""Traps: URLs that a site makes up faster than anyone could fetch them."""
