"""A server process and all it has started (npx → sh → node), as one thing that can be ended.

Knows how each platform names such a family: a process group here, a job object on Windows. When to be polite
and how long to wait is child.py's business.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any, Protocol

from bridge.system.reaper import Reaper


class Family(Protocol):
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
    def gone(self) -> bool: ...
    def release(self) -> None:
        """It is over: forget it."""


class Group:
    """The POSIX family: the process group that the server leads."""

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
        # Once gone, its number may be somebody else's.
        if self._gone or sys.platform == "win32":
            return
        try:
            os.killpg(self._group, number)
        except (ProcessLookupError, PermissionError):  # macOS says EPERM when only zombies are left
            self._gone = True


if sys.platform == "win32":
    from bridge.upstreams.process.windows_job import Job

    # No console window flashes up, and Ctrl-C in our console is not theirs.
    APART: dict[str, Any] = {
        "creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    }

    def family(pid: int, reaper: Reaper) -> Family:
        return Job(pid)
else:
    APART: dict[str, Any] = {"start_new_session": True}

    def family(pid: int, reaper: Reaper) -> Family:
        return Group(pid, reaper)
