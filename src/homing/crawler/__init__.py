"""The crawl itself: the engine, the parts it is built from, what happens around a page.

Begin with ``engine``: the loop, and the nine steps of a page.

A page
    ``requests``  steps 1 and 2: lease the best URL, fetch it
    ``reader``    steps 3 and 4: parse and judge, in this process or in one that can be killed
    ``offers``    step 8: which links may be followed (scope, rel=nofollow, traps), the targets of redirects,
                  and how proposals reach frontier and store
    ``outcomes``  what happens where no page comes: redirects, errors, robots.txt, sitemaps, retries
    ``traps/``    sites that generate pages without end: calendars, sessions, repeated folders
    ``events``    step 9: what the engine tells its listeners; ``log`` writes it to ``crawl.log``
    ``progress``  the counters of a crawl, and the limits that end it
    ``index/``    brings fetched pages into the full-text index while the crawl runs

A crawl
    ``crawl``       the commands a user gives: run, pause, block, label, relearn ...
    ``opening``     from a configuration and a folder to a ``Crawl``
    ``assembly``    wires the parts (``parts``) of an engine: the only place that does
    ``examples``    fetches the example pages of a topic, by the same engine
    ``first_strategy``  the strategy as it is before the first page
    ``checkpoint``  commits twice a second; ``resume`` continues from there
    ``view``        the crawl as arrays, for strategies that rank by the graph
    ``live/``       how each command is carried out in a running crawl
    ``finished/``   the pages found, ranked, and whether a crawl could be resumed
    ``clock``       the machine's clocks

Nothing is imported here, so that a command that needs one module does not load an HTTP client.
"""
