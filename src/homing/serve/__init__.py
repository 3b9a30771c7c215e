"""The web app over a crawl folder: ``homing serve DIR``.

``app.py`` puts it together, ``guard.py`` stands before it, ``crawlfolder.py`` is all it knows of the crawl.
Each of ``dashboard``, ``visits``, ``search``, ``api`` and ``metrics`` has the routes of one part.
"""
