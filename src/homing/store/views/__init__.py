"""Reading a crawl folder while its writer runs, or after. Begin with ``reader``.

``reader``      pages, URLs, links and figures of a crawl: reports and exports
``browsing``    the same by the screenful, for the web pages
``explaining``  everything about one URL: ``homing explain``
``visit_log``   visits in order of arrival, for the index
``histories``   how pages have changed, for ``homing refresh``
``backlinks``   which pages link to a URL
``page_row``    a fetched page as one row: the fields of exports and of the REST API
``base``        the connection that all readers share
"""
