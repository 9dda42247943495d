"""One Deskbell per home: the first listens on a socket of its own, a later one asks it to come to the front.

Says nothing about the bridge: a headless one in the same home is found by Bridge.start.
"""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, Signal

from desktop.system.single_instance_socket import PipeEar, SocketEar

_LONGEST = 100  # sockaddr_un.sun_path holds 104 bytes on macOS, 108 on Linux
_PATIENCE = 5.0  # seconds for a first instance that is still starting


def socket_name(root: Path) -> str:
    """Where the first instance of this home listens: a path, or a pipe's name on Windows."""
    digest = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]
    if sys.platform == "win32":
        return f"deskbell-{digest}"
    path = str(root.resolve() / "desktop.sock")
    if len(path.encode()) <= _LONGEST:
        return path
    runtime = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.RuntimeLocation)
    return f"{runtime}/deskbell-{digest}.sock"


class SingleInstance(QObject):
    """In an existing folder. `raised`: somebody started Deskbell again."""

    raised = Signal()

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        name = socket_name(root)
        self._lock = QLockFile(str(root / "desktop.lock"))
        self._lock.setStaleLockTime(0)  # only a dead owner makes it stale, never age
        self._ear = PipeEar(name, self) if sys.platform == "win32" else SocketEar(name, self)
        self._ear.raised.connect(self.raised)

    def claim(self) -> bool:
        """Become the first. False: another one is. (A folder we cannot write is the bridge's to explain.)"""
        if not self._lock.tryLock(0) and self._lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._ear.listen()  # the lock says that nobody else does
        return True

    def raise_first(self) -> bool:
        """Ask the first one to come to the front. False: it does not answer."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if self._ear.ask():
                return True
            time.sleep(0.05)
        return False

    def release(self) -> None:
        self._ear.close()
        self._lock.unlock()
