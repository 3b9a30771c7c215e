"""Probabilistic models of the path to a target: hmm, memm, crf."""
