"""The shortcut that opens the oldest question, as Settings have it, by whatever this desktop offers.

On X11 and Windows it has a default. On Wayland the desktop would ask the person about it, so that it is
asked for only when they have chosen one.
"""

from __future__ import annotations

import os
import sys
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from bridge.api import Status
from desktop.system.dbus import DBus
from desktop.system.shortcuts import keys

_TAKEN, _WORKS, _OFF = "taken", "works", "off"


class _Grab(Protocol):
    def close(self) -> None: ...


class GlobalShortcut(QObject):
    """`pressed`: it was pressed. `changed`: "works", "taken" by another program or refused, or "off"."""

    pressed = Signal()
    changed = Signal(str)

    def __init__(self, bus: DBus) -> None:
        super().__init__()
        self._bus = bus
        self._wanted: str | None = None  # None: not read yet
        self._grabbed: _Grab | None = None
        self.state = _OFF

    def draw(self, status: Status) -> None:
        if status.version and status.shortcut != self._wanted:
            self._wanted = status.shortcut
            self.close()
            self._grab(status.shortcut)

    def close(self) -> None:
        grabbed, self._grabbed = self._grabbed, None
        if grabbed is not None:
            grabbed.close()

    def _grab(self, text: str) -> None:
        wanted = keys.parse(text)
        if wanted is None:
            self._tell(_OFF)
            return
        try:
            self._grab_here(wanted, chosen=bool(text))
        except (OSError, AttributeError):  # a library is missing
            self._tell(_OFF)

    def _grab_here(self, wanted: keys.Shortcut, *, chosen: bool) -> None:
        platform = QGuiApplication.platformName()
        if sys.platform == "win32":
            from desktop.system.shortcuts.windows import WindowsHotkey

            hotkey = self._grabbed = WindowsHotkey(self.pressed.emit)
            self._tell(_WORKS if hotkey.grab(wanted) else _TAKEN)
        elif platform == "xcb" and os.environ.get("XDG_SESSION_TYPE") != "wayland":
            from desktop.system.shortcuts.x11 import X11Hotkey

            grab = self._grabbed = X11Hotkey(self.pressed.emit)
            self._tell(_WORKS if grab.grab(wanted) else _TAKEN)
        elif platform in ("xcb", "wayland") and chosen:
            from desktop.system.shortcuts.portal import PortalShortcut

            label = self.tr("Open the oldest question")
            portal = PortalShortcut(
                self._bus, label, self.pressed.emit, lambda agreed: self._tell(_WORKS if agreed else _TAKEN)
            )
            self._grabbed = portal
            portal.grab(wanted)
        else:
            self._tell(_OFF)

    def _tell(self, state: str) -> None:
        self.state = state
        self.changed.emit(state)
