"""The crawl itself: the engine, what it is built from, and what it tells.

``engine``    the loop and the nine steps of a page; start reading here
``requests``  steps 1 and 2: lease the best URL, and fetch it
``outcomes``  responses without a page: redirects, errors, robots.txt, sitemaps
``offers``    which links may be followed, and how proposals reach frontier and store
``reader``    parses and judges pages, in this process or one that can be killed
``limits``    when a crawl is over
``events``    what it tells while it runs; ``log`` writes it down
``crawl``     a crawl that is ready to run, with its commands; ``opening`` opens it in its folder
``assembly``  from a configuration to ``parts``; the only place that wires
``resume``    back to where the last run left off; ``checkpoint`` makes it safe on disk
``examples``  fetches the example pages of the topic
``live/``     commands to a running crawl, its snapshots, refresh
``index/``    keeps the full-text index up to date
``traps/``    URLs without end that bring nothing new

Nothing is imported here: modules such as those of ``homing search`` should not load an HTTP client.
"""
