"""A Windows job object: a process and everything it starts, ended together. Windows only.

The only handle of the job is ours, and the job is set to kill on close: when Deskbell ends in whatever way,
Windows closes the handle and ends the job's processes. A process that the server starts before it is put
into its job escapes; `CREATE_SUSPENDED`, which would close that gap, cannot be used with asyncio.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _EXTENDED_LIMIT_INFORMATION = 9
    _LIMIT_KILL_ON_JOB_CLOSE = 0x2000
    _PROCESS_SET_QUOTA_AND_TERMINATE = 0x0101

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateJobObjectW.restype = wintypes.HANDLE
    _kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
    _kernel.OpenProcess.restype = wintypes.HANDLE
    _kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
    _kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    _kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
    _kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    _kernel.SetInformationJobObject.argtypes = (
        wintypes.HANDLE,
        ctypes.c_int,
        ctypes.c_void_p,
        wintypes.DWORD,
    )

    class Job:
        """Holds one process and its descendants; see `ProcessGroup`."""

        def __init__(self, pid: int, _reaper: object) -> None:
            self._killed = False
            self._handle = _kernel.CreateJobObjectW(None, None)
            limits = _ExtendedLimits()
            limits.BasicLimitInformation.LimitFlags = _LIMIT_KILL_ON_JOB_CLOSE
            size = ctypes.sizeof(limits)
            _kernel.SetInformationJobObject(
                self._handle, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size
            )
            process = _kernel.OpenProcess(_PROCESS_SET_QUOTA_AND_TERMINATE, False, pid)
            _kernel.AssignProcessToJobObject(self._handle, process)
            _kernel.CloseHandle(process)

        def terminate(self) -> None:
            """Kill: Windows cannot ask a process without a console or a window to end."""
            self.kill()

        def kill(self) -> None:
            self._killed = True
            _kernel.TerminateJobObject(self._handle, 1)

        def gone(self) -> bool:
            """True if it was killed: a job, unlike a POSIX process group, ends at once."""
            return self._killed

        def release(self) -> None:
            handle, self._handle = self._handle, None
            if handle:
                _kernel.CloseHandle(handle)
