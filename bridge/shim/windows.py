"""Windows: connect to the app's named pipe, and copy bytes both ways in two threads."""

import _thread
import _winapi
import os
import sys

from bridge.shim import CHUNK, digest

assert sys.platform == "win32"  # noqa: S101 - for the type checker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Connected = int
ABSENT = (FileNotFoundError,)


def environment() -> dict[str, str]:
    return dict(os.environ)


def folder_now() -> str:
    return os.getcwd()


def data_folder(env: "Mapping[str, str]") -> str:
    return env.get("LOCALAPPDATA") or env.get("USERPROFILE", "") + r"\AppData\Local"


def absolute(folder: str, env: "Mapping[str, str]") -> str:
    return os.path.abspath(os.path.expanduser(folder))


def socket_path(home: str) -> str:
    return rf"\\.\pipe\deskbell-{digest(home.lower())}"


def connect(path: str) -> int:
    access = _winapi.GENERIC_READ | _winapi.GENERIC_WRITE
    flags = _winapi.FILE_FLAG_OVERLAPPED | 0x110000  # SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION
    while True:
        try:
            return _winapi.CreateFile(path, access, 0, _winapi.NULL, _winapi.OPEN_EXISTING, flags, 0)
        except OSError as error:
            if error.winerror != _winapi.ERROR_PIPE_BUSY:
                raise
        _winapi.WaitNamedPipe(path, 1000)


def pause(seconds: float) -> None:
    import time

    time.sleep(seconds)


def can_pass_pipes() -> bool:
    return False


def pass_pipes(pipe: int, first: bytes) -> None:
    raise NotImplementedError


def copy(pipe: int, first: bytes) -> None:
    """Copy until the app or the host ends. Overlapped I/O, or a write would wait for a pending read of the
    same handle."""
    _thread.start_new_thread(_copy_up, (pipe, first))
    try:
        while True:
            reading, _ = _winapi.ReadFile(pipe, CHUNK, overlapped=True)
            reading.GetOverlappedResult(True)
            rest = memoryview(reading.getbuffer() or b"")
            while rest:
                rest = rest[os.write(1, rest) :]
    except OSError:
        os._exit(0)  # the other thread may block on stdin


def _copy_up(pipe: int, first: bytes) -> None:
    chunk = first
    while chunk:
        try:
            writing, _ = _winapi.WriteFile(pipe, chunk, overlapped=True)
            writing.GetOverlappedResult(True)
        except OSError:  # the app has closed; the other thread ends after its last output
            return
        chunk = _read()
    os._exit(0)  # a named pipe has no half-close: exiting closes it


def _read() -> bytes:
    try:
        return os.read(0, CHUNK)
    except OSError:
        return b""
