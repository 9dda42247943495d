"""One desktop application per data folder: a second start asks the first to show its window, or to open a
link, then ends.

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


_RAISE, _LINK, _DONE = b"raise\n", b"link ", b"ok\n"
_LONG = 32768  # bytes of a message, and so of a link
_QUEUE = 8
_WITHIN = 2.0  # seconds


class Listener(QObject):
    """Base class: what a later start may ask for."""

    raised = Signal()
    link_opened = Signal(str)

    def heard(self, line: bytes) -> bool:
        """Emit the signal that a line asks for; False if it asks for nothing known."""
        if line == _RAISE:
            self.raised.emit()
        elif line.startswith(_LINK) and line.endswith(b"\n"):
            self.link_opened.emit(line[len(_LINK) : -1].decode("utf-8", "replace"))
        else:
            return False
        return True


def _request(link: str) -> bytes:
    text = "".join(link.split()).encode("utf-8", "replace")[: _LONG - len(_LINK) - 1]
    return _LINK + text + b"\n" if text else _RAISE


class SocketListener(Listener):
    """Listens on a socket that only this user can open."""

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

    def ask(self, link: str = "") -> bool:
        """Ask the first instance to show its window, or to open a link; True if it confirms."""
        if sys.platform == "win32":
            return False
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(_WITHIN)
            line.connect(self._path)
            line.sendall(_request(link))
            return line.recv(_LONG) == _DONE
        return False

    def _accept(self) -> None:
        if self._listener is None:
            return
        with contextlib.suppress(OSError):
            line = self._listener.accept()[0]
            line.setblocking(False)
            speaks = QSocketNotifier(line.fileno(), QSocketNotifier.Type.Read, self)
            so_far = bytearray()
            speaks.activated.connect(lambda: self._read(line, speaks, so_far))

    def _read(self, line: socket.socket, speaks: QSocketNotifier, so_far: bytearray) -> None:
        part = b""
        with contextlib.suppress(OSError):
            part = line.recv(_LONG)
        so_far += part
        if part and b"\n" not in so_far and len(so_far) < _LONG:
            return  # the rest of a long link is still coming
        speaks.setEnabled(False)
        speaks.deleteLater()
        with contextlib.suppress(OSError), line:
            if self.heard(bytes(so_far)):
                line.send(_DONE)


class PipeListener(Listener):
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

    def ask(self, link: str = "") -> bool:
        from PySide6.QtNetwork import QLocalSocket

        line, within = QLocalSocket(), round(_WITHIN * 1000)
        line.connectToServer(self._name)
        if not line.waitForConnected(within):
            return False
        line.write(_request(link))
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
        if line.canReadLine() and self.heard(bytes(line.readLine(_LONG).data())):
            line.write(_DONE)
            line.flush()


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
    """`root` must exist. `raised`: Deskbell was started again; `link_opened`: with a link."""

    raised = Signal()
    link_opened = Signal(str)

    def __init__(self, root: Path) -> None:
        super().__init__()
        name = socket_name(root)
        self._lock = QLockFile(str(root / "desktop.lock"))
        self._lock.setStaleLockTime(0)  # only a dead owner makes it stale, never age
        self._listener = PipeListener(name) if sys.platform == "win32" else SocketListener(name)
        self._listener.raised.connect(self.raised)
        self._listener.link_opened.connect(self.link_opened)

    def claim(self) -> bool:
        """Become the first instance; False if another one is."""
        if not self._lock.tryLock(0) and self._lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._listener.listen()
        return True

    def raise_first(self, link: str = "") -> bool:
        """Ask the first instance to show its window, or to open a link; False if it does not reply."""
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end:
            if self._listener.ask(link):
                return True
            time.sleep(0.05)
        return False

    def release(self) -> None:
        self._listener.close()
        self._lock.unlock()
