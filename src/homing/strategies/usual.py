"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.4017, 0.1133, 0.0263, -0.0204, 0.4619, 0.4565, 0.4598, 0.4314, 0.4564, 0.4972,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.3004, 0.1200, 0.0518, 0.0683, 0.3648, 0.2277, 0.2378, 0.1941, 0.2212, 0.2227,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0339, 0.0422, 0.0507, 0.0646, 0.0000, 0.0087, 0.0299, 0.0990, 0.0177, 0.0000, 0.2997,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
