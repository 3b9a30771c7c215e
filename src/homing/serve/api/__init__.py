"""The figures and pages of a crawl for programs.

``routes`` has the REST API (begin here), ``schemas`` the JSON it returns, ``metrics`` the Prometheus text.
"""
