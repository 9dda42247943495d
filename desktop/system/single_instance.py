"""One desktop application per data folder: a second start asks the first to show its window, then ends.

The first listens on a Unix socket, on Windows on a named pipe. The socket is not Qt's: QtNetwork takes three
megabytes. A Deskbell without windows in the same folder is found by Bridge.start.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, QSocketNotifier, QStandardPaths, Signal

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalSocket


_RAISE, _DONE = b"raise\n", b"ok\n"
_LONG = 64  # bytes, more than any message
_QUEUE = 8
_WITHIN = 2.0  # seconds


class SocketListener(QObject):
    """Listens on a socket that only this user can open."""

    raised = Signal()

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._listener: socket.socket | None = None
        self._coming: QSocketNotifier | None = None

    def listen(self) -> None:
        """Listen. The lock guarantees that nobody else does; the bridge reports a read-only folder."""
        if sys.platform == "win32":  # see PipeListener
            return
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)  # left by a crash
            listener.bind(self._path)
            os.chmod(self._path, 0o600)  # before it listens, so that nobody can connect earlier
            listener.listen(_QUEUE)
        except OSError:
            listener.close()
            return
        listener.setblocking(False)
        self._listener = listener
        self._coming = QSocketNotifier(listener.fileno(), QSocketNotifier.Type.Read, self)
        self._coming.activated.connect(self._accept)

    def close(self) -> None:
        if self._listener is None or self._coming is None:
            return
        self._coming.setEnabled(False)
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        self._listener.close()
        self._listener = None

    def ask(self) -> bool:
        """Ask the first instance to show its window; True if it confirms."""
        if sys.platform == "win32":
            return False
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(_WITHIN)
            line.connect(self._path)
            line.sendall(_RAISE)
            return line.recv(_LONG) == _DONE
        return False

    def _accept(self) -> None:
        if self._listener is None:
            return
        with contextlib.suppress(OSError):
            line = self._listener.accept()[0]
            line.setblocking(False)
            speaks = QSocketNotifier(line.fileno(), QSocketNotifier.Type.Read, self)
            speaks.activated.connect(lambda: self._read(line, speaks))

    def _read(self, line: socket.socket, speaks: QSocketNotifier) -> None:
        speaks.setEnabled(False)
        speaks.deleteLater()
        with contextlib.suppress(OSError), line:
            if line.recv(_LONG) == _RAISE:
                line.send(_DONE)
                self.raised.emit()


class PipeListener(QObject):
    raised = Signal()

    def __init__(self, name: str) -> None:
        from PySide6.QtNetwork import QLocalServer

        super().__init__()
        self._name = name
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)

    def listen(self) -> None:
        self._server.removeServer(self._name)
        self._server.listen(self._name)

    def close(self) -> None:
        self._server.close()

    def ask(self) -> bool:
        from PySide6.QtNetwork import QLocalSocket

        line, within = QLocalSocket(), round(_WITHIN * 1000)
        line.connectToServer(self._name)
        if not line.waitForConnected(within):
            return False
        line.write(_RAISE)
        heard = line.waitForBytesWritten(within) and line.waitForReadyRead(within)
        answer = bytes(line.readAll().data()) if heard else b""
        line.abort()
        return answer == _DONE

    def _accept(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            line.readyRead.connect(partial(self._read, line))
            line.disconnected.connect(line.deleteLater)
            if line.bytesAvailable():
                self._read(line)

    def _read(self, line: QLocalSocket) -> None:
        if bytes(line.readLine().data()) == _RAISE:
            line.write(_DONE)
            line.flush()
            self.raised.emit()


_LONGEST = 100  # sockaddr_un.sun_path holds 104 bytes on macOS, 108 on Linux
_TIMEOUT = 5.0  # seconds, for a first instance that is still starting


def socket_name(root: Path) -> str:
    """Return where the first instance listens: a socket path, on Windows a pipe name."""
    digest = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]
    if sys.platform == "win32":
        return f"deskbell-{digest}"
    path = str(root.resolve() / "desktop.sock")
    if len(path.encode()) <= _LONGEST:
        return path
    runtime = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.RuntimeLocation)
    return f"{runtime}/deskbell-{digest}.sock"


class SingleInstance(QObject):
    """`root` must exist. `raised`: Deskbell was started again."""

    raised = Signal()

    def __init__(self, root: Path) -> None:
        super().__init__()
        name = socket_name(root)
        self._lock = QLockFile(str(root / "desktop.lock"))
        self._lock.setStaleLockTime(0)  # only a dead owner makes it stale, never age
        self._listener = PipeListener(name) if sys.platform == "win32" else SocketListener(name)
        self._listener.raised.connect(self.raised)

    def claim(self) -> bool:
        """Become the first instance; False if another one is."""
        if not self._lock.tryLock(0) and self._lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._listener.listen()
        return True

    def raise_first(self) -> bool:
        """Ask the first instance to show its window; False if it does not reply."""
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end:
            if self._listener.ask():
                return True
            time.sleep(0.05)
        return False

    def release(self) -> None:
        self._listener.close()
        self._lock.unlock()
