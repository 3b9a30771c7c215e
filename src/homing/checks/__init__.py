"""Batteries of checks for every implementation of a port; authors of plug-ins run them too."""
