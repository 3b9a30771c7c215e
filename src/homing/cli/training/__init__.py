"""``homing train`` and ``homing fit``: training judges and strategies."""
