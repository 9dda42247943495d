"""ProcessGroup: a server process and its descendants (npx → sh → node), ended together.

A process group on POSIX, a job object on Windows. When to terminate and when to kill is decided by child.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any, Protocol

from bridge.system.reaper import Reaper


class ProcessGroup(Protocol):
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
    def gone(self) -> bool: ...
    def release(self) -> None:
        """Forget the group: all its processes have ended."""


class PosixGroup:
    """The process group that the server leads."""

    def __init__(self, pid: int, reaper: Reaper) -> None:
        self._group = pid
        self._reaper = reaper
        self._gone = False
        reaper.add(pid)

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        if sys.platform != "win32":
            self._signal(signal.SIGKILL)

    def gone(self) -> bool:
        self._signal(0)
        return self._gone

    def release(self) -> None:
        self._gone = True
        self._reaper.remove(self._group)

    def _signal(self, number: int) -> None:
        # Once the group is gone, its number may belong to other processes.
        if self._gone or sys.platform == "win32":
            return
        try:
            os.killpg(self._group, number)
        except (ProcessLookupError, PermissionError):  # macOS: EPERM when only zombies are left
            self._gone = True


if sys.platform == "win32":
    from bridge.upstreams.process.windows_job import Job

    # No console window flashes up, and Ctrl-C in our console is not theirs.
    DETACHED: dict[str, Any] = {
        "creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    }

    def process_group(pid: int, reaper: Reaper) -> ProcessGroup:
        return Job(pid)
else:
    DETACHED: dict[str, Any] = {"start_new_session": True}

    def process_group(pid: int, reaper: Reaper) -> ProcessGroup:
        return PosixGroup(pid, reaper)
