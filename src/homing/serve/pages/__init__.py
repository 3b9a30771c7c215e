"""The pages of the web app: routes that return HTML, one module a page.

``dashboard``       ``/``, kept up to date by ``live_dashboard``
``browse``          ``/pages``, ``/hosts``, ``/failures``; ``neighbourhood`` draws the links of a page
``search``          ``/search``, ``/text``, ``/similar``
``steer``           ``/steer``, ``/commands``, ``/label``: commands and labels
``start``           ``/new``: candidates, the form of a new crawl, its start
``lab``             ``/lab``: the runs of the lab
``templating``      the templates, and figures formatted for people
"""
