"""``python -m homing``."""

from homing.cli import main

if __name__ == "__main__":
    main()
