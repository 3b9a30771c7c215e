"""What changes a crawl while it runs, and what it shows of itself.

Begin with ``verbs``: every command with its parameters, as Python, REST and forms send it.

``commands``   carries the commands out, between two turns of the engine
``inbox``      takes the commands of other processes from the inbox, and answers them
``block``      empties the queue of what a block matches, and queues it again when the block is lifted
``relearn``    trains the judge on labels; ``rescoring`` scores the crawl again with it
``refresh``    fetches pages again that are due; ``freshness`` estimates which are
``pulse``      the snapshot that the dashboard shows
``doubts``     warns when the judge may be wrong
"""
