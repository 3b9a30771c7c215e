"""The replies of a crawl, as WARC files: ``warc`` writes and reads them.

``http`` turns replies into the bytes of HTTP and back; ``mend`` cuts the archive back after a kill.
"""
