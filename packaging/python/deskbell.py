"""`python -m deskbell`: the same as the command `deskbell`."""

import sys

from bridge.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
