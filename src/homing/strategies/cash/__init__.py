"""Strategies that move cash along links: ``opic``, by links alone, and ``otie``, by what they say of the
topic.

Each says in its own file how a page splits its cash. ``flow`` is their base: parameters, seeds, recrawling.
``ledger`` knows who holds how much, ``accounts`` what has reached pages already fetched.
"""
