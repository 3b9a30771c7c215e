"""From what the user said of the topic to a judge, and to the pages that training needs.

Begin with ``gathered``: ``gather`` reads the ``[topic]`` of a configuration, with all example pages, into a
``Gathered``, which builds the judge; ``load`` does so again from a crawl folder. ``judge_for`` chooses the
judge where the user names none: ``keywords`` for words alone.

    >>> from homing.config import Config
    >>> from homing.topic.gathered import gather
    >>> config = Config.of({"topic": {"text": "butterfly gardens"}, "judge": {"name": "keywords"}})
    >>> gather(config, fetched={}).judge(config).topic().keywords
    ('butterfly', 'gardens')

- ``sources``: read pages from files, folders, files of records and lists of URLs. Pages on the web are
  fetched beforehand (``crawler/examples.py``).
- ``crawled_pages``: read pages from the archive of a crawl.
- ``training_pages``: positive, negative and unlabelled pages to train a judge on (``homing train``).
- ``training_graph``: targets and backlinks to fit a strategy on (``homing fit``); ``homing.trails`` grows a
  local graph from them.
"""
