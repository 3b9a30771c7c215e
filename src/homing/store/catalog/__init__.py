"""``crawl.db``: everything a crawl knows, in one SQLite file with one writer.

``catalog`` is the store in one object; its ports are ``visit_store``, ``resume_store`` and ``graph_store``.
``schema`` holds the tables, ``database`` the connections and errors, ``rows`` and ``visits`` turn values into
columns and back. A table of its own have ``labels``, ``ranking`` and ``strategy_state``; ``totals`` counts.
"""
