"""Light, dark or high contrast: as set, else as the system, also where Qt's platform theme does not.

Qt asks the desktop portal only under some platform themes, so it is asked here too. The palette is always
ours (colours.py): a system's own may lack the contrast that is promised.
"""

from __future__ import annotations

import sys
from typing import Any

from PySide6.QtCore import SLOT, QObject, Qt, QTimer, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from bridge.api import Status
from desktop.theme import motion
from desktop.theme.colours import is_dark, list_palette, make_palette

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SETTINGS = "org.freedesktop.portal.Settings"
_APPEARANCE, _DESKTOP = "org.freedesktop.appearance", "org.gnome.desktop.interface"
_SCHEME = _APPEARANCE, "color-scheme"
_CONTRAST = _APPEARANCE, "contrast"
_MOTION = _APPEARANCE, "reduced-motion"
_ANIMATIONS = _DESKTOP, "enable-animations"
_PREFERRED = 1  # of color-scheme: dark; of contrast: higher; of reduced-motion: reduced
SYSTEM, LIGHT, DARK = "system", "light", "dark"


def install(app: QApplication) -> None:
    """Give the application our style and our light palette; Theme makes it follow the system."""
    from desktop.theme.style import DeskbellStyle

    app.setStyle(DeskbellStyle())
    set_palette(dark=False)


def set_palette(dark: bool, *, more_contrast: bool = False) -> None:
    QApplication.setPalette(make_palette(dark, more_contrast=more_contrast))
    QApplication.setPalette(list_palette(dark), "QAbstractItemView")  # type: ignore[arg-type]


class Theme(QObject):
    """Owned by the application."""

    def __init__(self) -> None:
        super().__init__()
        self._hints = QGuiApplication.styleHints()
        self._hints.colorSchemeChanged.connect(self._update_soon)
        self._wish = SYSTEM
        self._portal: dict[tuple[str, str], object] = {}
        self._asking: list[QDBusPendingCallWatcher] = []
        self._drawn: tuple[bool, bool] | None = None  # dark, more contrast
        self._update()
        if sys.platform == "linux":
            self._ask_portal()

    def draw(self, status: Status) -> None:
        if status.theme != self._wish:
            self._wish = status.theme
            self._choose()

    def _ask_portal(self) -> None:
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        slot = SLOT("changed(QString,QString,QDBusVariant)")
        bus.connect(_SERVICE, _PATH, _SETTINGS, "SettingChanged", self, slot)  # type: ignore[call-overload]
        for setting in (_SCHEME, _CONTRAST, _MOTION, _ANIMATIONS):
            call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SETTINGS, "Read")
            call.setArguments(list(setting))
            watcher = QDBusPendingCallWatcher(bus.asyncCall(call), self)
            watcher.finished.connect(lambda done, setting=setting: self._got(setting, done))
            self._asking.append(watcher)

    @Slot(str, str, QDBusVariant)
    def changed(self, space: str, key: str, value: QDBusVariant) -> None:
        if (space, key) in (_SCHEME, _CONTRAST, _MOTION, _ANIMATIONS):
            self._prefer((space, key), value)

    def _got(self, setting: tuple[str, str], watcher: QDBusPendingCallWatcher) -> None:
        arguments = watcher.reply().arguments()
        if not watcher.isError() and arguments:
            self._prefer(setting, arguments[0])

    def _prefer(self, setting: tuple[str, str], value: Any) -> None:
        while isinstance(value, QDBusVariant):  # Read wraps it twice
            value = value.variant()
        self._portal[setting] = value
        reduced = self._portal.get(_MOTION) == _PREFERRED or self._portal.get(_ANIMATIONS) is False
        motion.set_reduced(reduced)
        self._choose()

    @property
    def _prefers_dark(self) -> bool:
        return self._portal.get(_SCHEME) == _PREFERRED

    def _choose(self) -> None:
        """Set Qt's colour scheme, for native dialogs and window frames; some platform themes ignore it."""
        if self._wish == DARK or (self._wish == SYSTEM and self._prefers_dark):
            self._hints.setColorScheme(Qt.ColorScheme.Dark)
        elif self._wish == LIGHT:
            self._hints.setColorScheme(Qt.ColorScheme.Light)
        else:
            self._hints.unsetColorScheme()
        self._update_soon()

    def _update_soon(self) -> None:
        """Update after the signal: Qt changes its palette then."""
        QTimer.singleShot(0, self, self._update)

    def _update(self) -> None:
        by_system = self._prefers_dark or self._hints.colorScheme() is Qt.ColorScheme.Dark
        dark = self._wish == DARK or (self._wish == SYSTEM and by_system)
        more = self._portal.get(_CONTRAST) == _PREFERRED or _wants_contrast(self._hints)
        if (dark, more) != self._drawn or is_dark(QGuiApplication.palette()) != dark:
            self._drawn = dark, more
            set_palette(dark, more_contrast=more)


def _wants_contrast(hints: Any) -> bool:
    """True if Qt says that the system asks for high contrast; Qt before 6.10 does not know."""
    accessibility = getattr(hints, "accessibility", None)
    return (
        accessibility is not None
        and accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
    )
