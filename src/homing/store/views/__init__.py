"""Reading a crawl folder beside its writer. Begin with ``reader``.

``reader``      pages, URLs, links and figures of a crawl: reports and exports
``browsing``    the same by the screenful, for the web pages
``explaining``  everything about one URL: ``homing explain``
``visit_log``   visits in order of arrival, for the index
``histories``   how pages have changed, for ``homing refresh``
``backlinks``   who links to a URL; ``page_row`` a fetched page as one row
"""
