"""Every way Deskbell can be told to end. Ends nothing itself: whoever listens stops the engine first.

The ways: Quit in a menu, the desktop quitting us (QEvent.Quit), SIGINT, SIGTERM, SIGHUP. Before a log-out the
desktop asks whether it may; who has typed something may want to send it first.
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)


class Application(QApplication):
    """`quit()` only asks; the loop ends when what it runs has ended.

    Overrides `event` instead of filtering events: a filter on the application sees every event there is.
    """

    end_asked = Signal()  # may come more than once
    palette_changed = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit:
            self.end_asked.emit()
            return True
        done = super().event(event)
        if event.type() is QEvent.Type.ApplicationPaletteChange:
            self.palette_changed.emit()
        return done


def hear_of_log_out(app: QApplication, may: Callable[[], bool]) -> None:
    """`may`: is nothing lost? Otherwise the log-out is called off, where the desktop lets itself be told."""

    def asked(manager: QSessionManager) -> None:
        manager.setRestartHint(QSessionManager.RestartHint.RestartNever)  # autostart is the person's choice
        if not may() and manager.allowsInteraction():
            manager.release()
            manager.cancel()

    app.commitDataRequest.connect(asked, Qt.ConnectionType.DirectConnection)
    app.saveStateRequest.connect(
        lambda manager: manager.setRestartHint(QSessionManager.RestartHint.RestartNever),
        Qt.ConnectionType.DirectConnection,
    )


class Interrupts(QObject):
    """The operating system's signals, heard by Qt's loop."""

    heard = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        # Python runs its own signal handlers only between bytecodes, which a waiting Qt loop never reaches.
        self._old_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._old = {number: signal.signal(number, _leave_it_to_the_loop) for number in _SIGNALS}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._signalled)

    def close(self) -> None:
        """Give everything back as it was found."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _signalled(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._read.recv(64)
        self.heard.emit()


def _leave_it_to_the_loop(number: int, frame: FrameType | None) -> None:
    """The wakeup descriptor has already told the loop."""
