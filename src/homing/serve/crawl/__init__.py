"""The crawls behind the web app. Begin with ``crawl_folder.py``: nothing else opens the folder.

``crawl_folder``   one crawl folder: overview, labels, commands, search index
``overview``       the crawl at one moment; ``totals`` counts visits, ``series`` keeps the harvest curve
``neighbours``     the crawls beside the one served, under ``/crawls/NAME/``
``new_crawl``      the form of a new crawl, turned into a configuration
``candidates``     URLs fetched for the user to label before a new crawl
``launch``         starts ``homing crawl`` as a process of its own
"""
