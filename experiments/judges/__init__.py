"""The judges compared: ``python -m experiments.judges``, and the page docs/judges.md.

Begin with ``comparison``: draws, contenders, the loop. ``recorded`` reads the webs, ``measures`` says how
good a judge is, ``rows`` holds what was found; ``page`` and ``picture`` show it.
"""
