"""Strategies that classify pages and links by their distance to a target.

``context_graph`` classifies pages, ``layered`` also links, ``q_learning`` links by the targets behind them.
``terms`` has the classifiers they share, ``ways`` the ways to targets that q-learning gives credit along.
"""
