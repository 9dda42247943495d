"""Log-out on Linux, by D-Bus: the desktop's session manager asks whether it may, and tells when it does.

Qt as it comes from the package index knows no X session management, and Wayland has none. GNOME, Cinnamon,
MATE and Budgie share one interface; XFCE has its own of the same shape. Elsewhere a log-out is a SIGTERM.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from desktop.system.dbus import Bus, Place


class _Kind(NamedTuple):
    """Whom to register with, and the interface of what it makes for us."""

    keeper: Place
    client: str


KINDS = (
    _Kind(
        Place("org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager"),
        "org.gnome.SessionManager.ClientPrivate",
    ),
    _Kind(
        Place("org.xfce.SessionManager", "/org/xfce/SessionManager", "org.xfce.Session.Manager"),
        "org.xfce.Session.Client",
    ),
)


class LogOut(QObject):
    """`may`: is nothing lost by it? If not, the desktop is asked to wait, and told why."""

    ends = Signal()

    def __init__(self, bus: Bus, may: Callable[[], bool], parent: QObject | None = None) -> None:
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
        ours = Place(kind.keeper.service, str(reply[0]), kind.client)
        self._bus.hear(ours, "QueryEndSession", lambda _: self._asked(ours))
        self._bus.hear(ours, "EndSession", lambda _: self._ended(ours))
        self._bus.hear(ours, "Stop", lambda _: self.ends.emit())

    def _asked(self, ours: Place) -> None:
        may = self._may()
        self._respond(ours, may, "" if may else self.tr("You have typed an answer that is not sent yet."))

    def _ended(self, ours: Place) -> None:
        self._respond(ours, True, "")
        self.ends.emit()

    def _respond(self, ours: Place, agreed: bool, why: str) -> None:
        self._bus.call(ours, "EndSessionResponse", "bs", (agreed, why), lambda _: None, start=False)
