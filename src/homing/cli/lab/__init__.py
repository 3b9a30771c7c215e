"""``homing lab``: record a web once, compare strategies on it. Begin with ``group.py``.

``group``               the commands of the group, put together
``import_web``          ``homing lab import``: record a web
``serve_web``           ``homing lab serve``: a recorded web over HTTP
``run_experiment``      ``homing lab run`` and ``homing lab verify``
``report_experiment``   ``homing lab report``: tables and pictures
``recorded_webs``       re-parses recorded webs that an older version wrote
"""
