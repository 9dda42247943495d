"""Tell whether a folder is still the one it was: not deleted, and no other one in its place.

The folder is kept open, because systems give its number to the next one as soon as nobody uses it. On
Windows, where a folder with open files cannot be deleted, it only has to be there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


class OpenFolder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held = -1 if sys.platform == "win32" else os.open(folder, os.O_RDONLY)  # not inherited: PEP 446

    def is_there(self) -> bool:
        try:
            found = os.stat(self._folder)
            return self._held < 0 or os.path.samestat(found, os.fstat(self._held))
        except OSError:
            return False

    def close(self) -> None:
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
