"""The web app over a crawl folder: ``homing serve DIR``.

Begin with ``app.py``: it mounts the pages, the REST API and the access control.

``app``                puts the application together
``access``             token, host names and security headers, before every route
``body_limit``         maximum size of a request's body
``steering``           commands to a crawl, validated once for the forms and the API
``query_parameters``   query parameters that pages and API share
``crawl/``             the crawls behind the app: the folder served, its neighbours, new ones
``pages/``             one module a page of the site, with its routes
``api/``               the REST API, its JSON schemas, the Prometheus metrics
``templates/``         Jinja templates; ``templates/dashboard/`` holds the panels that update live
``static/``            style sheet, the script of the dashboard, htmx and uPlot
"""
