"""``homing crawl`` and ``homing refresh``: from the command line to a running crawl.

Begin with ``command``; ``request`` turns its options into a configuration, ``run`` runs the crawl and handles
signals, ``panel`` shows its progress, ``tuning`` sets up the process.
"""
