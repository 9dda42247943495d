"""One Deskbell per home: a lock that ends with its process, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

from bridge.errors import AlreadyRunning


class InstanceLock:
    """Holds the lock while it is entered; the file names who holds it."""

    def __init__(self, lock: Path, presenter: str) -> None:
        self._path = lock
        self._presenter = presenter
        self._file = -1

    def __enter__(self) -> InstanceLock:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            _lock(self._file)
        except OSError as error:
            holder = os.read(self._file, 200).decode(errors="replace").strip()
            os.close(self._file)
            raise AlreadyRunning("Deskbell is already running", holder) from error
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()}, {self._presenter}".encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 20, os.SEEK_SET)  # beyond the text, which others may still read
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
