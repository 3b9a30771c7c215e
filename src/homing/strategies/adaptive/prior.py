"""Prior weights of the features of a URL. Written by experiments/adaptive/prior_weights.py: do not edit."""

MEANS = (
    0.3974, 0.1171, 0.0219, 0.0339, -0.0197, 0.0375, 0.4919, 0.0399, 0.0425, 0.0070, 0.0345, 0.0785,
)  # fmt: skip
"""The mean of each feature, in the order of ``features.FEATURES``."""

SPREADS = (
    0.2635, 0.1391, 0.0432, 0.0716, 0.0662, 0.0930, 0.2621, 0.0822, 0.0998, 0.0444, 0.0753, 0.0629,
)  # fmt: skip
"""Its standard deviation."""

WEIGHTS = (
    0.0191, 0.0109, 0.0156, 0.0516, 0.0296, 0.0094, 0.0026, 0.0151, 0.0000, 0.0174, 0.0052, 0.0087, 0.3083,
)  # fmt: skip
"""What one standard deviation adds to the expected score of a page; then the intercept."""
