"""Keeping the full-text index up to date with the catalog.

``catch_up``  takes in the visits that the catalog has committed; also ``homing index`` and ``homing search``
``thread``    does so while a crawl runs
"""
