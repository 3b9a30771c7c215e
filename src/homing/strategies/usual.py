"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.3967, 0.1167, 0.0228, 0.0340, -0.0191, 0.4890, 0.0395, 0.0423, 0.0077, 0.0353, 0.0784,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.2616, 0.1388, 0.0432, 0.0720, 0.0678, 0.2624, 0.0843, 0.1028, 0.0455, 0.0772, 0.0628,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0217, 0.0100, 0.0162, 0.0501, 0.0304, 0.0021, 0.0128, 0.0001, 0.0221, 0.0060, 0.0121, 0.3060,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
