"""What is asked of a crawl that need not run.

``ranked``      the pages found, in the order of the strategy that found them (``homing export``)
``restorable``  whether topic, judge and strategy can be restored as they were saved (``homing check``)
"""
