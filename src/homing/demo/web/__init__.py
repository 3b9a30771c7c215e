"""The little web: sites generated from a seed, to crawl without a network.

Begin with ``little_web.py``, the class that answers requests. It is built in this order:

``vocabulary``   words and sentence templates by topic, from ``topics/*.toml``
``sites``        the sites: name, role, size, quirks
``site_pages``   the pages of a site by kind: home, sections, articles ...
``naming``       titles, summaries and addresses of pages
``layout``       all pages with their topics, as arrays
``link_plan``    which page links to which
``wear``         redirects, dead links, failing pages
``prose``        the text of articles
``hrefs``        how a page writes its links
``page_html``    pages as HTML; ``page_frame`` adds head, navigation and footer
``wellknown``    robots.txt, sitemaps, feeds; ``extras`` all addresses outside the layout
``traps``        an endless calendar, and a shop with session ids
``answers``      responses as values
"""
