"""Strategies that move cash along links: ``opic``, by links alone, and ``otie``, by what they say of the
topic.

``flow`` is their base, ``ledger`` moves the cash, ``accounts`` keeps that of pages already fetched.
"""
