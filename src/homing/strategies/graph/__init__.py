"""Strategies that rank the frontier by the links of the crawl.

``navigational_rank`` and ``personalized_pagerank`` let credit flow through the graph; ``rank`` is their base.
``hybrid`` chooses seed pages by links and content. ``tiers`` turns ranks into priorities.
"""
