"""Follow the system between light and dark, also where Qt's platform theme does not.

Qt asks the desktop portal only under some platform themes, and under some it learns "dark" but keeps a light
palette: so the portal is asked here too, and a dark palette stands by.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import SLOT, QObject, Qt, QTimer, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop.widgets.labels import is_dark

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SETTINGS = "org.freedesktop.portal.Settings"
_SPACE, _KEY = "org.freedesktop.appearance", "color-scheme"
_PREFER_DARK = 1


class Theme(QObject):
    """Lives as long as the application."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hints = QGuiApplication.styleHints()
        self._hints.colorSchemeChanged.connect(self._agree_soon)
        self._preferred = False  # the portal says dark
        self._ours = False  # our dark palette is in use
        self._agree()
        if sys.platform == "linux":
            self._ask_portal()

    def _ask_portal(self) -> None:
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        slot = SLOT("changed(QString,QString,QDBusVariant)")
        bus.connect(_SERVICE, _PATH, _SETTINGS, "SettingChanged", self, slot)  # type: ignore[call-overload]
        call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SETTINGS, "Read")
        call.setArguments([_SPACE, _KEY])
        self._asking = QDBusPendingCallWatcher(bus.asyncCall(call), self)
        self._asking.finished.connect(self._told)

    @Slot(str, str, QDBusVariant)
    def changed(self, space: str, key: str, value: QDBusVariant) -> None:
        if (space, key) == (_SPACE, _KEY):
            self._prefer(value)

    def _told(self, watcher: QDBusPendingCallWatcher) -> None:
        arguments = watcher.reply().arguments()
        if not watcher.isError() and arguments:
            self._prefer(arguments[0])

    def _prefer(self, value: object) -> None:
        while isinstance(value, QDBusVariant):  # Read wraps it twice
            value = value.variant()
        self._preferred = value == _PREFER_DARK
        if self._preferred:
            self._hints.setColorScheme(Qt.ColorScheme.Dark)  # does nothing under some platform themes
        else:
            self._hints.unsetColorScheme()
        self._agree_soon()

    def _agree_soon(self) -> None:
        """The palette changes after the signal."""
        QTimer.singleShot(0, self, self._agree)

    def _agree(self) -> None:
        dark = self._preferred or self._hints.colorScheme() is Qt.ColorScheme.Dark
        if dark and not is_dark(QGuiApplication.palette()):
            self._ours = True
            QApplication.setPalette(dark_palette())
        elif self._ours and not dark:
            self._ours = False
            QApplication.setPalette(QPalette())


def dark_palette() -> QPalette:
    palette = QPalette(QColor("#404040"), QColor("#333333"))
    role = QPalette.ColorRole
    for part, colour in (
        (role.Base, "#1c1c1c"),  # far enough from the window that an empty field is seen
        (role.AlternateBase, "#2a2a2a"),
        (role.Highlight, "#3584e4"),
    ):
        palette.setColor(part, QColor(colour))
    for part in (role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText):
        palette.setColor(part, QColor("#f0f0f0"))
    palette.setColor(role.ToolTipBase, QColor("#1e1e1e"))
    palette.setColor(role.PlaceholderText, QColor("#a0a0a0"))
    palette.setColor(role.Link, QColor("#78aeed"))
    for part in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, part, QColor("#8a8a8a"))
    return palette
