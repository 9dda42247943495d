"""Refuse folders and files of another user, as ssh does: their owner can change them at any time.

Links that the person made are followed; a link that somebody else planted has another owner. Windows has
access lists in place of owners: there nothing is refused.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":

    def refuse_foreign(folder: str | Path) -> None:
        """Do nothing."""

    def refuse_foreign_contents(folder: Path) -> None:
        """Do nothing."""

else:

    def refuse_foreign(folder: str | Path) -> None:
        """Raise PermissionError if another user owns this folder, or the link that leads to it."""
        if {os.lstat(folder).st_uid, os.stat(folder).st_uid} != {os.getuid()}:
            raise PermissionError(None, "It belongs to another user")

    def refuse_foreign_contents(folder: Path) -> None:
        """Raise PermissionError for a file or link in this folder that is neither this user's nor root's."""
        for entry in os.scandir(folder):
            if entry.stat(follow_symlinks=False).st_uid not in (os.getuid(), 0):
                raise PermissionError(None, f"{entry.name} belongs to another user")
