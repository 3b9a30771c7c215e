"""Recorded pages from WARC files of any producer, crawls and JSONL files. Begin with ``sources``.

``sources``    files, folders and crawls as one stream of records
``warcs``      the records of a WARC file, damaged ones too; ``unpacking`` undoes its compression,
               ``joined`` makes the pieces one stream
``responses``  the reply in a WARC record; ``revisits`` finds bodies that were stored only once
"""
