"""Traps: URLs that a site generates faster than they can be fetched.

``detector`` recognises and closes them (endless calendars, session ids, repeated folders); ``sitemap_quota``
bounds what the sitemaps of one site may list.
"""
