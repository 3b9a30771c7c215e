"""Probabilistic models of the path to a target: ``hmm``, ``memm``, ``crf``.

Each has its equations in its own file. A ``belief`` says how far a page is from a target; ``believer``, the
base of all three, ranks links by it. ``chain``, the base of memm and crf, fits their weights. ``sequences``
samples paths to fit on; ``observations`` reads pages and links for memm and crf, ``clusters`` for hmm.
"""
