"""Where a crawl is kept: on disk in a crawl folder, or in memory. Begin with ``folder``.

``folder``      the layout of a crawl folder; ``open_catalog`` opens it for its one writer
``catalog/``    ``crawl.db``: URLs, visits, links, labels, strategy state, in one SQLite file
``archive/``    the replies themselves, as WARC files
``index/``      full-text search over the fetched pages
``views/``      reading a crawl folder while its writer runs: reports, exports, explanations
``inbox``       commands to a running crawl
``pulse_file``  the live status of a running crawl
``lock``        one writer a folder
``memory/``     a store without a disk, for the lab and for tests

A store is three ports of ``homing.ports``: writing visits, resuming a crawl, reading the link graph.
``catalog/`` and ``memory/`` have a module for each: ``visit_store``, ``resume_store``, ``graph_store``.
To write another store, begin with ``ports/storage.py``; ``homing.checks.store`` checks that it keeps the
promises made there.
"""
