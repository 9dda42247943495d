"""ProcessGroup: a child process and its descendants (npx → sh → node), ended together.

A process group on POSIX, a job object on Windows. Callers decide when to terminate and when to kill it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from bridge.system.process.reaper import Reaper

if sys.platform == "win32":
    from bridge.system.process.windows_job import Job as ProcessGroup

    # No console window flashes up, and Ctrl-C in our console is not theirs.
    DETACHED: dict[str, Any] = {
        "creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    }
else:
    DETACHED: dict[str, Any] = {"start_new_session": True}

    class ProcessGroup:
        """The process group that `pid` leads. The reaper ends it if Deskbell is killed."""

        def __init__(self, pid: int, reaper: Reaper) -> None:
            self._group = pid
            self._reaper = reaper
            self._gone = False
            reaper.add(pid)

        def terminate(self) -> None:
            self._signal(signal.SIGTERM)

        def kill(self) -> None:
            self._signal(signal.SIGKILL)

        def gone(self) -> bool:
            """True if no process of the group is left."""
            self._signal(0)
            return self._gone

        def release(self) -> None:
            """Forget the group: all its processes have ended."""
            self._gone = True
            self._reaper.remove(self._group)

        def _signal(self, number: int) -> None:
            if self._gone:  # its number may belong to other processes
                return
            try:
                os.killpg(self._group, number)
            except (ProcessLookupError, PermissionError):  # macOS: EPERM when only zombies are left
                self._gone = True


__all__ = ["DETACHED", "ProcessGroup"]
