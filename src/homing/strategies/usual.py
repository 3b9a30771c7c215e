"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.5314, 0.4057, 0.6138, 0.4881, 1.1945, 0.5540, 0.4994, 0.4566, 0.5093, 0.4574, 0.4858, 0.5150, 0.5179,
    -0.0204, 0.0436, 0.0285, 0.3227, 0.3141, 0.3843,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.3304, 0.3067, 0.4144, 0.3631, 0.5736, 0.5314, 0.2385, 0.2335, 0.2534, 0.2433, 0.2088, 0.2348, 0.2254,
    0.0690, 0.0726, 0.0656, 0.2802, 0.2694, 0.3339,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    -0.0491, 0.0600, -0.0437, 0.0539, 0.0090, 0.0369, 0.0466, 0.0105, -0.0999, 0.1281, 0.0299, -0.0073,
    0.0259, 0.0545, -0.0067, 0.0293, 0.0994, -0.0449, -0.0101, 0.3360,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
