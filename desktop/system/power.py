"""Signals for wake-up after sleep and for an unlocked screen.

Linux: logind on the system bus, screen savers on the session bus. Elsewhere there are none; the bridge also
detects sleep by its clocks.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.system.dbus import DBus, DBusObject

_LOGIND = "org.freedesktop.login1"
_MANAGER = DBusObject(_LOGIND, "/org/freedesktop/login1", f"{_LOGIND}.Manager")
_PROPERTIES = "org.freedesktop.DBus.Properties"
_SESSION = f"{_LOGIND}.Session"
ANY_SESSION = DBusObject(_LOGIND, "", _PROPERTIES)
OWN_SESSION = DBusObject(_LOGIND, "/org/freedesktop/login1/session/auto", _PROPERTIES)
LOCKED_HINT = (_SESSION, "LockedHint")
SAVERS = tuple(
    DBusObject(name, f"/{name.replace('.', '/')}", name)
    for name in (
        "org.freedesktop.ScreenSaver",
        "org.gnome.ScreenSaver",
        "org.xfce.ScreenSaver",
        "org.cinnamon.ScreenSaver",
        "org.mate.ScreenSaver",
    )
)


class PowerEvents(QObject):
    woke = Signal()
    unlocked = Signal()  # perhaps: receivers check

    def __init__(self, session: DBus, system: DBus) -> None:
        super().__init__()
        self._session = session
        self._system = system

    def listen(self) -> None:
        self._system.subscribe(_MANAGER, "PrepareForSleep", self._slept)
        self._system.subscribe(ANY_SESSION, "PropertiesChanged", self._changed)
        for saver in SAVERS:
            self._session.subscribe(saver, "ActiveChanged", self._saved)

    def _slept(self, body: tuple[Any, ...]) -> None:
        if body and body[0] is False:  # True: about to sleep
            self.woke.emit()

    def _saved(self, body: tuple[Any, ...]) -> None:
        if body and body[0] is False:
            self.unlocked.emit()

    def _changed(self, body: tuple[Any, ...]) -> None:
        if len(body) > 1 and body[0] == _SESSION and body[1].get("LockedHint") == ("b", False):
            self.unlocked.emit()
