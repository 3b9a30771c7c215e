"""The default strategy: it learns, while it crawls, which features of a link mean a page on the topic.

Begin with ``adaptive``, the strategy itself. For each URL ``features`` computes a row of numbers, and
``regression`` turns it into an expected score, from the weights of ``prior`` and the crawl's own pages. The
features come from:

- ``link_table``: where each link stands, and how relevant its neighbours were
- ``tokens``: the words of links and their weights; ``co_occurrence``: how relevant pages with such words are
- ``names`` and ``similar_names``: what pages are called, and which names mean something alike
- ``folders``: which pages lie in the same folder

``topic_vector`` refines the topic by the crawl's own pages, read as ``page_terms``. ``threads`` keeps numpy
to one thread.
"""
