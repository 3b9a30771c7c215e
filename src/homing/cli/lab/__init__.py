"""``homing lab``: record a web once, compare strategies on it."""
