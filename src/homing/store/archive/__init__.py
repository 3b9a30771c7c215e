"""The replies of a crawl, as WARC files. Begin with ``warc``.

``warc``     writes replies, three records each; on start, cuts the files back to what was committed
``reading``  reads a reply back
``http``     a reply as the bytes of HTTP, and back
``mend``     after a power cut, takes back the visits whose replies the files do not hold
"""
