"""Experiments: what they find is written to docs/, never typed there. Begin with README.md.

``protocol`` writes the experiment files in ``lab/``, ``results_page`` the page docs/results.md from their
runs, with the papers' ``claims``; ``same_runs`` compares two runs of an experiment. ``adaptive`` is about the
default strategy, ``judges`` about the judges; ``word_vectors`` builds the table of word vectors.
"""
