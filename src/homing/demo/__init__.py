"""The demonstration: a built-in little web, its server, and ``homing demo``, which crawls it.

Begin with ``demonstration.py``: two crawls of the little web, focused and breadth-first.

``web/``            the little web: 1,500 pages on 40 hosts, generated from a seed
``web_server``      serves a little web on loopback, and logs its requests
``web_records``     the little web as records, for recorded webs of the lab
``harvest_chart``   harvest curves drawn in the terminal
"""
