"""Probabilistic models of the path to a target: ``hmm``, ``memm``, ``crf``.

``believer`` is the base of all three, ``chain`` that of memm and crf. A ``belief`` says how far a page is
from a target. ``sequences`` samples paths to fit on; ``observations`` reads pages and links for memm and
crf, ``clusters`` for hmm.
"""
