"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.3995, 0.1139, 0.0239, 0.0351, -0.0175, 0.4905, 0.0306, 0.0326, 0.0072, 0.0306, 0.0731,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.2410, 0.1030, 0.0406, 0.0763, 0.0579, 0.2666, 0.0855, 0.1023, 0.0414, 0.0792, 0.0679,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0185, 0.0106, 0.0170, 0.0615, 0.0195, 0.0013, 0.0066, 0.0089, 0.0174, 0.0015, 0.0156, 0.3115,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
