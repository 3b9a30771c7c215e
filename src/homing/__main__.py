"""``python -m homing``."""

import os
import sys

if __name__ == "__main__":
    # For ``-m`` Python puts the working directory first on its path: in a folder of downloads, a file with
    # the name of a module would be run. Leave it out before other imports, unless Homing lies there.
    if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
        del sys.path[0]

    from homing.cli import main

    main()
