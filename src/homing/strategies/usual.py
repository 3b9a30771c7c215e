"""What usually holds of the signs of a URL. Written by experiments/usual_weights.py: do not edit."""

MEANS = (
    0.3737, 0.1154, 0.0209, 0.0454, -0.0197, 0.4568, 0.4659, 0.4685, 0.4468, 0.4663, 0.5092,
)  # fmt: skip
"""What each sign is on average, in the order of ``signs.SIGNS``."""

SPREADS = (
    0.2926, 0.1254, 0.0506, 0.0820, 0.0723, 0.3696, 0.2373, 0.2471, 0.2114, 0.2328, 0.2291,
)  # fmt: skip
"""How far it usually is from that: the standard deviation."""

WEIGHTS = (
    0.0254, 0.0291, 0.0333, 0.0605, 0.0575, 0.0141, 0.0000, 0.0244, 0.1341, 0.0000, 0.0000, 0.3128,
)  # fmt: skip
"""What it adds to the score a page is expected to get, a spread; then their sum at 0."""
