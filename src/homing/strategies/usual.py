"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.6453, 0.4793, 0.6371, 0.5030, 1.4960, 0.6910, 0.4851, 0.4361, 0.5114, 0.4468, 0.4684, 0.4950, 0.4943,
    -0.0014, 0.3752, 0.3550, 0.4002,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.2956, 0.3018, 0.3807, 0.3543, 0.6336, 0.5894, 0.2548, 0.2554, 0.2696, 0.2668, 0.2292, 0.2465, 0.2409,
    0.0599, 0.2789, 0.2656, 0.3063,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0023, 0.0506, -0.0725, 0.0796, 0.0323, 0.0240, 0.0477, -0.0415, -0.0942, 0.1400, 0.0729, 0.0385,
    0.0396, 0.0570, 0.0954, -0.1320, 0.0058, 0.3202,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
