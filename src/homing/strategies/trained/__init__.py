"""Strategies fitted on pages whose distance to a target is known: before the crawl, or on its own pages.

- ``layers/``: classifiers of pages and links by distance: ``context_graph``, ``layered``, ``q_learning``
- ``sequence/``: probabilistic models of the path to a target: ``hmm``, ``memm``, ``crf``
- ``treasure/``: ``treasure``, which compares the passages that links stand in

``base`` is their base class; ``page_memory`` keeps the crawl's pages to fit on.
"""
