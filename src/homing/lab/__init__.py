"""The lab: strategies compared on recorded webs, by the live engine.

``web``         a recorded web, open for reading
``recording``   writing one: ``sources`` (WARC files, crawls, JSONL), ``parsing``, ``linking``, ``writing``
``server``      giving it back over HTTP
``crawl``       one crawl of it: the live engine with the parts of ``replay``
``experiment``  what an experiment file says; ``tasks`` and ``truth`` make targets, seeds and draws of it
``bench``       one run of one strategy on one unit; ``fits`` and ``likeness`` are what it needs
``campaign``    all runs, over the cores, never made twice
``measures``    what runs come to; ``rows``, ``results``, ``timings``, ``compare``, ``intervals``
``tables``      results for people; ``pictures`` likewise
"""
