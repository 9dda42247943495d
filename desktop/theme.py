"""Light or dark: as set, else as the system, also where Qt's platform theme does not follow it.

Qt asks the desktop portal only under some platform themes, and under some it learns "dark" but keeps a light
palette: so the portal is asked here too, and we have palettes of our own. Under the GTK theme Qt gives input
fields the window's colour, so that they look disabled: that is repaired, as is text with low contrast.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import SLOT, QObject, Qt, QTimer, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from bridge.api import Status
from desktop.widgets.labels import is_dark

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SETTINGS = "org.freedesktop.portal.Settings"
_SPACE, _KEY = "org.freedesktop.appearance", "color-scheme"
_PREFER_DARK = 1
_MIN_DIFFERENCE = 6  # of 255: least difference between a field and a dark window
_WHITE = 255
READABLE = 4.5  # text contrast, WCAG 2.2 AA
_Role = QPalette.ColorRole
_WORDS = ((_Role.WindowText, _Role.Window), (_Role.Text, _Role.Base), (_Role.ButtonText, _Role.Button))
_COLOURS = {  # light, dark
    _Role.Base: ("#ffffff", "#1c1c1c"),  # an empty field must be visible
    _Role.AlternateBase: ("#f3f3f3", "#2a2a2a"),
    _Role.Highlight: ("#1c71d8", "#1c71d8"),
    _Role.Accent: ("#1c71d8", "#3584e4"),
    _Role.HighlightedText: ("#ffffff", "#ffffff"),
    _Role.ToolTipBase: ("#ffffff", "#1e1e1e"),
    _Role.PlaceholderText: ("#6e6e6e", "#a0a0a0"),
    _Role.Link: ("#1a5fb4", "#78aeed"),
}
_STEPS = 24  # tries to reach the contrast
SYSTEM, LIGHT, DARK = "system", "light", "dark"


class Theme(QObject):
    """Owned by the application."""

    def __init__(self) -> None:
        super().__init__()
        self._hints = QGuiApplication.styleHints()
        self._hints.colorSchemeChanged.connect(self._update_soon)
        self._preferred = False  # the portal prefers dark
        self._wish = SYSTEM
        self._ours = ""  # our palette in use, if any
        self._update()
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
        self._asking.finished.connect(self._got_preference)

    @Slot(str, str, QDBusVariant)
    def changed(self, space: str, key: str, value: QDBusVariant) -> None:
        if (space, key) == (_SPACE, _KEY):
            self._prefer(value)

    def _got_preference(self, watcher: QDBusPendingCallWatcher) -> None:
        arguments = watcher.reply().arguments()
        if not watcher.isError() and arguments:
            self._prefer(arguments[0])

    def draw(self, status: Status) -> None:
        if status.theme != self._wish:
            self._wish = status.theme
            self._choose()

    def _prefer(self, value: object) -> None:
        while isinstance(value, QDBusVariant):  # Read wraps it twice
            value = value.variant()
        self._preferred = value == _PREFER_DARK
        self._choose()

    def _choose(self) -> None:
        """Set Qt's colour scheme; some platform themes ignore it."""
        if self._wish == DARK or (self._wish == SYSTEM and self._preferred):
            self._hints.setColorScheme(Qt.ColorScheme.Dark)
        elif self._wish == LIGHT:
            self._hints.setColorScheme(Qt.ColorScheme.Light)
        else:
            self._hints.unsetColorScheme()
        self._update_soon()

    def _update_soon(self) -> None:
        """Update after the signal: the palette changes then."""
        QTimer.singleShot(0, self, self._update)

    def _update(self) -> None:
        by_system = self._preferred or self._hints.colorScheme() is Qt.ColorScheme.Dark
        dark = self._wish == DARK or (self._wish == SYSTEM and by_system)
        wanted = DARK if dark else LIGHT
        if self._ours and self._ours != wanted:
            self._ours = ""
            QApplication.setPalette(QPalette())
        if dark != is_dark(QGuiApplication.palette()):
            if dark or self._wish == LIGHT:  # a dark palette without the preference may be a custom theme
                self._ours = wanted
                QApplication.setPalette(own_palette(dark))
        elif sys.platform == "linux" and not self._ours:
            better = repaired(QGuiApplication.palette())
            if better != QPalette():
                self._ours = wanted
                QApplication.setPalette(better)


def fields_blend_in(palette: QPalette) -> bool:
    """True if input fields have the window's colour, or are darker than a light window."""
    window, base = (palette.color(role) for role in (_Role.Window, _Role.Base))
    if is_dark(palette):
        return abs(base.lightness() - window.lightness()) < _MIN_DIFFERENCE
    return base.lightness() <= window.lightness() < _WHITE


def repaired(palette: QPalette) -> QPalette:
    """Return corrections for invisible fields, and for links, selections and inactive text of low contrast.

    Only those roles are set; the others follow the system.
    """
    role = _Role
    ours = own_palette(is_dark(palette))
    better = QPalette()
    if fields_blend_in(palette):
        for part in (role.Base, role.AlternateBase, role.Link):
            better.setColor(part, ours.color(part))
    if contrast(palette.color(role.Link), palette.color(role.Window)) < READABLE:
        better.setColor(role.Link, ours.color(role.Link))
    chosen = _readable_under(palette.color(role.HighlightedText), palette.color(role.Highlight))
    if chosen != palette.color(role.Highlight):
        better.setColor(role.Highlight, chosen)
        better.setColor(role.Accent, palette.color(role.Highlight))  # has no text on it
    away = QPalette.ColorGroup.Inactive
    for words, ground in _WORDS:  # a question is read before its window is active
        if contrast(palette.color(away, words), palette.color(away, ground)) < READABLE:
            better.setColor(away, words, palette.color(QPalette.ColorGroup.Active, words))
    return better


def _readable_under(words: QColor, ground: QColor) -> QColor:
    """Darken or lighten `ground` until text on it is readable."""
    deepens = words.lightness() > ground.lightness()
    for _ in range(_STEPS):
        if contrast(words, ground) >= READABLE:
            break
        ground = ground.darker(104) if deepens else ground.lighter(104)
    return ground


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG 2.2."""
    dark, bright = sorted((_light(one), _light(other)))
    return (bright + 0.05) / (dark + 0.05)


def _light(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def own_palette(dark: bool) -> QPalette:
    button, window = ("#404040", "#333333") if dark else ("#efefef", "#f5f5f5")
    palette = QPalette(QColor(button), QColor(window))
    for role, colours in _COLOURS.items():
        palette.setColor(role, QColor(colours[dark]))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.ToolTipText):
        palette.setColor(role, QColor("#f0f0f0" if dark else "#1a1a1a"))
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#8a8a8a"))
    return palette
