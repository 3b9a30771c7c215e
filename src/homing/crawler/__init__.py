"""The crawl itself: the engine, what it is built from, and what it tells.

``engine``   the loop and the nine steps of a page; start reading here
``requests`` the first two of them: which URL is next, and asking for it
``detours``  answers that bring no page
``offers``   which links may be followed, and how proposals reach frontier and store
``reading``  parse and judge, in this process or one that can be killed
``limits``   when a crawl is over
``events``   what it tells while it runs; ``log`` writes it down
``indexer``  keeps the full-text index up to date meanwhile; ``indexing`` does so at any time
``resume``   waking up where the last run left off
``wishes``   what a person asks of a running crawl; ``eviction`` and ``relearning`` do what takes long
``pulse``    what it shows while somebody watches
``refresh``  asks again for what has changed, by ``freshness``
``topic``    from what a user said of the topic to the judge, with ``sources`` and ``errands`` to read pages
``build``    from a configuration to parts; the only place that wires

Nothing is imported here: who wants one module, as ``homing search`` does, should not wait for an HTTP client.
"""
