"""Keep programs of the same user from reading this process's memory, and a crash from writing it to disk.

Secrets of servers are in memory while Deskbell runs. As KeePassXC does: no core dumps, no debugger (Linux:
PR_SET_DUMPABLE, which also closes /proc/PID/mem and environ; macOS: PT_DENY_ATTACH). Programs that Deskbell
starts are not affected: exec() makes them dumpable again, and `restore_core_limit_of` returns their limit.
Windows has no such call; there a program of the same user can always read this one.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys

_SET_DUMPABLE = 4  # linux/prctl.h
_DENY_ATTACH = 31  # macOS, sys/ptrace.h
_given: tuple[int, int] | None = None  # RLIMIT_CORE that we were started with; None: unchanged


def protect_memory() -> None:
    """Forbid core dumps and debuggers for the rest of this process's life."""
    global _given
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
        _given = (soft, hard)
    with contextlib.suppress(OSError, AttributeError):  # another C library
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        elif sys.platform == "darwin":
            ctypes.CDLL(None).ptrace(_DENY_ATTACH, 0, None, 0)


def restore_core_limit_of(pid: int) -> None:
    """Give a process that we started the core limit that we had at first: its crashes are its author's."""
    if sys.platform == "linux" and _given is not None:
        import resource

        with contextlib.suppress(OSError):  # the process has ended
            resource.prlimit(pid, resource.RLIMIT_CORE, _given)
