"""Recorded webs: written once, replayed and served as often as wanted.

``recorded``   a recorded web, open for reading
``recording``  importing one, by ``writer``, ``parsing`` and ``linking``
``server``     serves it over HTTP, by ``serving`` and ``request_head``
"""
