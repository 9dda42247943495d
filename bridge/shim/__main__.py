"""The shim alone: `python -I -S …/bridge/shim/__main__.py stdio`, or `python -m bridge.shim stdio`."""

import sys

if not __package__:  # by path
    slash = "\\" if sys.platform == "win32" else "/"
    sys.path.insert(0, __file__.rsplit(slash, 3)[0])

from bridge.shim import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
