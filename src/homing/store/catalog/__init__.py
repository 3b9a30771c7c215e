"""``crawl.db``: everything a crawl knows, in one SQLite file with one writer. Begin with ``catalog``.

``catalog``         the store in one object, made of the three ports
``visit_store``     writes what happens to a URL: the way of every page
``resume_store``    reads what a later run needs
``graph_store``     reads the links
``base``            what the three share: one open transaction, the archive, the lock
``schema``          the tables, with a comment for each, and migrations
``rows``            values as columns, and back
``database``        connections, and errors of SQLite in our words
``labels``, ``ranking``, ``strategy_state``  a table each
``totals``          counts of hosts, pages, queued and failed URLs
"""
