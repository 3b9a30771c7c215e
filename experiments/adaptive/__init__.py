"""Experiments with the default strategy, ``adaptive``, and the page docs/adaptive.md.

``page`` writes it: the text is ``page.md``, ``steps`` follows one crawl. ``trials`` measures what each part
of the strategy is worth and ``limits`` what any crawl could reach; ``prior_weights`` fits the weights that
every crawl starts with. ``trials.md`` has the figures of prototypes, measured once.
"""
