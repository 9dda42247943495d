"""What both programs of a bundle run: `deskbell` (without a console window) and `deskbell-mcp`."""

import os
import sys

# The bundle's libraries are for this process: a server, a browser or a login shell has its own.
if "LD_LIBRARY_PATH_ORIG" in os.environ:
    os.environ["LD_LIBRARY_PATH"] = os.environ.pop("LD_LIBRARY_PATH_ORIG")
elif sys.platform.startswith("linux"):
    os.environ.pop("LD_LIBRARY_PATH", None)

from bridge.__main__ import main

sys.exit(main())
