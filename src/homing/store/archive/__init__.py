"""The replies of a crawl, as WARC files. Begin with ``warc``.

``warc``     writes replies: three records each
``reading``  reads a reply back
``http``     a reply as the bytes of HTTP, and back
``mend``     writes off replies that a power cut has lost
"""
