"""Recorded webs: written once, replayed and served any number of times.

``recorded``   a recorded web, open for reading
``recording``  importing one, by ``writer``, ``parsing`` and ``linking``
``server``     serves it over HTTP, by ``serving`` and ``request_head``
"""
