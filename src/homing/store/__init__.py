"""What a crawl has learnt, on disk: the catalog (SQLite), the archive (WARC), the lock and the inbox.

``folder.open_catalog`` opens a crawl folder for its one writer, ``reader.Reader`` for anyone else.
"""
