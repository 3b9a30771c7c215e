"""The little web of ``homing demo`` and of the tests, the server that serves it, and its harvest curves."""
