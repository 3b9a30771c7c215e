"""``homing demo``: see it work without a network."""
