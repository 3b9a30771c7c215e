"""``homing crawl`` and ``homing refresh``: from the command line to a running crawl."""
