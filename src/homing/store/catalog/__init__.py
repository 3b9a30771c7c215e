"""``crawl.db``: everything a crawl knows, in one SQLite file with one writer."""
