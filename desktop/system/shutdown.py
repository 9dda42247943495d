"""Signals for every request to end Deskbell: QEvent.Quit, SIGINT, SIGTERM, SIGHUP, log-out.

Before a log-out the desktop asks whether it may end the session; the user may have typed an answer that is
not sent yet. On Linux the session manager asks over D-Bus: PySide6 wheels lack X session management, and
Wayland has none. GNOME, Cinnamon, MATE and Budgie share one interface; XFCE has a similar one. Elsewhere a
log-out is a SIGTERM.
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

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, QUrl, Signal
from PySide6.QtGui import QFileOpenEvent, QSessionManager
from PySide6.QtWidgets import QApplication

from desktop.system.dbus import DBus, DBusObject

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)


class Application(QApplication):
    """Turns QEvent.Quit into the signal `end_asked`, and an opened link into `link_opened`.

    Overrides `event`: an event filter on the application would see every event of every object.
    """

    end_asked = Signal()  # may be emitted more than once
    link_opened = Signal(str)  # macOS opens links by an event
    palette_changed = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit:
            self.end_asked.emit()
            return True
        if isinstance(event, QFileOpenEvent) and event.url().scheme() == "deskbell":
            self.link_opened.emit(event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded))
            return True
        done = super().event(event)
        if event.type() is QEvent.Type.ApplicationPaletteChange:
            self.palette_changed.emit()
        return done


def watch_logout(app: QApplication, may: Callable[[], bool]) -> None:
    """Cancel a log-out, where the desktop allows it, if `may` returns False (typed text would be lost)."""

    def asked(manager: QSessionManager) -> None:
        manager.setRestartHint(QSessionManager.RestartHint.RestartNever)  # autostart is the user's choice
        if not may() and manager.allowsInteraction():
            manager.release()
            manager.cancel()

    app.commitDataRequest.connect(asked, Qt.ConnectionType.DirectConnection)
    app.saveStateRequest.connect(
        lambda manager: manager.setRestartHint(QSessionManager.RestartHint.RestartNever),
        Qt.ConnectionType.DirectConnection,
    )


class ProcessSignals(QObject):
    """Delivers POSIX signals in Qt's event loop."""

    heard = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        # Python runs its own signal handlers only between bytecodes, which a waiting Qt loop never reaches.
        self._old_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        for number in _SIGNALS:
            signal.signal(number, _ignore)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._signalled)

    def close(self) -> None:
        """Ignore signals from now on: this process is about to end by itself, with its exit code."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        self._read.close()
        self._write.close()

    def _signalled(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._read.recv(64)
        self.heard.emit()


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing: the wakeup descriptor has woken the event loop."""


class _Kind(NamedTuple):
    """A session manager, and the interface of the client object it creates for us."""

    manager: DBusObject
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
    """Asks the session manager to wait with a log-out while `may` returns False."""

    ends = Signal()

    def __init__(self, bus: DBus, may: Callable[[], bool]) -> None:
        super().__init__()
        self._bus = bus
        self._may = may

    def register(self) -> None:
        body = ("deskbell", os.environ.get("DESKTOP_AUTOSTART_ID", ""))
        for kind in KINDS:
            registered = partial(self._registered, kind)
            self._bus.call(kind.manager, "RegisterClient", "ss", body, registered, start=False)

    def _registered(self, kind: _Kind, reply: tuple[Any, ...] | None) -> None:
        if not reply:
            return
        ours = DBusObject(kind.manager.service, str(reply[0]), kind.client)
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
