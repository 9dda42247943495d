"""Advisory file locks that the system releases when their process ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.errors import AlreadyRunning, DeskbellError, VaultError
from bridge.i18n import say

_LIMIT = 10.0  # seconds for another process to finish its write
_PAUSE = 0.02
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file; False if another process holds it."""
        os.lseek(file, 1 << 20, os.SEEK_SET)  # beyond the text: Windows forbids reading a locked range
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file; False if another process holds it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def wait_for_lock(file: int, limit: float, error: DeskbellError) -> None:
    """Lock an open file; raise `error` if that takes longer than `limit` seconds."""
    end = time.monotonic() + limit
    while not try_lock(file):
        if time.monotonic() > end:
            raise error
        time.sleep(_PAUSE)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`, in this process and against others. Raises VaultError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        raise VaultError(say("{path} cannot be used", path=path), f"{error.strerror or error}.") from error
    held = VaultError(say("Another program is using the secrets"), say("It has locked {path}.", path=path))
    try:
        wait_for_lock(file, _LIMIT, held)
        yield
    finally:
        os.close(file)


class InstanceLock:
    """Allow one Deskbell per home. The lock file names the process that holds it."""

    def __init__(self, path: Path, presenter: str) -> None:
        self._path = path
        self._presenter = presenter
        self._file = -1

    def __enter__(self) -> InstanceLock:
        self._file = os.open(self._path, _FLAGS, 0o600)
        if not try_lock(self._file):
            holder = os.read(self._file, 200).decode(errors="replace").strip()
            os.close(self._file)
            raise AlreadyRunning("Deskbell is already running", holder)
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()}, {self._presenter}".encode())
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)
