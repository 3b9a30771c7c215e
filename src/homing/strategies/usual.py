"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.3759, 0.1180, 0.0209, 0.0442, -0.0194, 0.4656, 0.4709, 0.4737, 0.4516, 0.4713, 0.5163,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.2938, 0.1310, 0.0502, 0.0816, 0.0704, 0.3706, 0.2367, 0.2467, 0.2110, 0.2321, 0.2283,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0226, 0.0332, 0.0348, 0.0589, 0.0566, 0.0103, 0.0000, 0.0266, 0.1360, 0.0000, 0.0000, 0.3181,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
