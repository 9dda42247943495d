"""Every way Deskbell can be told to end. Ends nothing itself: whoever listens stops the engine first.

The ways: Quit in a menu, the desktop quitting us (QEvent.Quit), SIGINT, SIGTERM, SIGHUP. Before a log-out the
desktop asks whether it may; who has typed something may want to send it first.

Log-out on Linux, by D-Bus: the desktop's session manager asks whether it may, and tells when it does.

Qt as it comes from the package index knows no X session management, and Wayland has none. GNOME, Cinnamon,
MATE and Budgie share one interface; XFCE has its own of the same shape. Elsewhere a log-out is a SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from desktop.system.dbus import DBus, DBusObject

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


def watch_logout(app: QApplication, may: Callable[[], bool]) -> None:
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


class ProcessSignals(QObject):
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


class _Kind(NamedTuple):
    """Whom to register with, and the interface of what it makes for us."""

    keeper: DBusObject
    client: str


KINDS = (
    _Kind(
        DBusObject("org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager"),
        "org.gnome.SessionManager.ClientPrivate",
    ),
    _Kind(
        DBusObject("org.xfce.SessionManager", "/org/xfce/SessionManager", "org.xfce.Session.Manager"),
        "org.xfce.Session.Client",
    ),
)


class LogoutWatcher(QObject):
    """`may`: is nothing lost by it? If not, the desktop is asked to wait, and told why."""

    ends = Signal()

    def __init__(self, bus: DBus, may: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._may = may

    def register(self) -> None:
        body = ("deskbell", os.environ.get("DESKTOP_AUTOSTART_ID", ""))
        for kind in KINDS:
            registered = partial(self._registered, kind)
            self._bus.call(kind.keeper, "RegisterClient", "ss", body, registered, start=False)

    def _registered(self, kind: _Kind, reply: tuple[Any, ...] | None) -> None:
        if not reply:
            return
        ours = DBusObject(kind.keeper.service, str(reply[0]), kind.client)
        self._bus.subscribe(ours, "QueryEndSession", lambda _: self._asked(ours))
        self._bus.subscribe(ours, "EndSession", lambda _: self._ended(ours))
        self._bus.subscribe(ours, "Stop", lambda _: self.ends.emit())

    def _asked(self, ours: DBusObject) -> None:
        may = self._may()
        self._respond(ours, may, "" if may else self.tr("You have typed an answer that is not sent yet."))

    def _ended(self, ours: DBusObject) -> None:
        self._respond(ours, True, "")
        self.ends.emit()

    def _respond(self, ours: DBusObject, agreed: bool, why: str) -> None:
        self._bus.call(ours, "EndSessionResponse", "bs", (agreed, why), lambda _: None, start=False)
