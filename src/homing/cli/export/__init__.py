"""``homing export``: the pages of a crawl as files for other programs.

Begin with ``export_pages.py``, the command; ``formats`` writes JSON lines, CSV, Parquet and lists of URLs,
``graphml`` the link graph.
"""
