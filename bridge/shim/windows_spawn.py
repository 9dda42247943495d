"""Windows: start the app as a child process, and release it once it listens."""

import _winapi
import msvcrt
import os
import sys
import time

assert sys.platform == "win32"  # noqa: S101 - for the type checker


class _Startup:
    """STARTUPINFO: the log as both outputs, and no other handle of ours for the app to hold."""

    dwFlags = _winapi.STARTF_USESTDHANDLES  # noqa: N815 - Windows' own names
    wShowWindow = 0  # noqa: N815

    def __init__(self, nothing: int, log: int) -> None:
        self.hStdInput = nothing
        self.hStdOutput = self.hStdError = log
        self.lpAttributeList = {"handle_list": [nothing, log]}


def spawn(command: list[str], place: str, folder: str, log: str, env: dict[str, str]) -> int:
    os.makedirs(folder, exist_ok=True)
    files = [os.open("NUL", os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT)]
    os.lseek(files[1], 0, os.SEEK_END)  # the app inherits the position; O_APPEND is the C library's alone
    handles = [msvcrt.get_osfhandle(file) for file in files]
    for handle in handles:
        os.set_handle_inheritable(handle, True)
    flags = _winapi.CREATE_NO_WINDOW | _winapi.CREATE_NEW_PROCESS_GROUP
    try:  # break away, or the app would end with the host's job
        return _created(flags | _winapi.CREATE_BREAKAWAY_FROM_JOB, command, place or folder, env, handles)
    except PermissionError:  # the job forbids breaking away
        return _created(flags, command, place or folder, env, handles)
    finally:
        for file in files:
            os.close(file)


def _created(flags: int, command: list[str], place: str, env: dict[str, str], handles: list[int]) -> int:
    line = '"' + '" "'.join(command) + '"'
    return _winapi.CreateProcess(None, line, None, None, True, flags, env, place, _Startup(*handles))[0]


def pause(seconds: float) -> None:
    time.sleep(seconds)


def ended(child: int) -> int:
    running = _winapi.WaitForSingleObject(child, 0) != _winapi.WAIT_OBJECT_0
    return 0 if running else _winapi.GetExitCodeProcess(child)


def disown(child: int) -> None:
    _winapi.CloseHandle(child)
