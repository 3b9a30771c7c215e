"""The lab: strategies compared on recorded webs, by the live engine. Begin with ``experiment``.

``web/``        a recorded web: imported (``recording``), read (``recorded``), served over HTTP (``server``)
``archives/``   what a web is imported from: WARC files, crawls, JSONL
``experiment``  the experiment file; ``tasks`` and ``truth`` turn it into targets, seeds and draws of examples
``campaign``    all runs of an experiment, over the cores, none repeated
``runner``      one run of one strategy on one unit; ``fits`` trains before it, ``similarity`` compares
``crawl``       one crawl of a recorded web: the live engine with the parts of ``replay``
``oracle``      the limit: a crawl that knows the targets
``runs``        the results of a run: the raw material of every measure
``results/``    from runs to figures: measures, intervals, comparisons, tables
``pictures/``   the figures as pictures
``verify``      results against the values that an experiment file expects
``digest``      the code that a result depends on; ``stopwatch`` times a strategy
``training_graph``  a recorded web as training data: ``homing fit WEB``
"""
