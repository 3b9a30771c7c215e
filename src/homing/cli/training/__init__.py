"""``homing train`` trains a judge, ``homing fit`` a strategy."""
