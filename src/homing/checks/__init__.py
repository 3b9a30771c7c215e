"""Batteries of checks for every implementation of a port; authors of plug-ins run them too.

``strategy`` checks strategies, ``memory`` that theirs is bounded, ``judge`` judges, ``store/`` stores. They
crawl the toy web of ``webs`` by the small loop of ``replays``, as do the docstring examples of strategies.
"""
