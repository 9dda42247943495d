"""A key combination as people write it ("Meta+Alt+A"), and as X11, Windows and the portal want it. Pure."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

DEFAULT = "Meta+Alt+A"  # A for answer; no layout types a letter with it, and no desktop uses it
NONE = "none"
_Modifier, _Key = Qt.KeyboardModifier, Qt.Key


class _Modifiers(NamedTuple):
    """What each system calls a modifier: X.h, winuser.h, XDG shortcuts specification."""

    x11: int
    windows: int
    portal: str


_MODIFIERS = {
    _Modifier.ControlModifier: _Modifiers(4, 0x2, "CTRL"),
    _Modifier.AltModifier: _Modifiers(8, 0x1, "ALT"),
    _Modifier.ShiftModifier: _Modifiers(1, 0x4, "SHIFT"),
    _Modifier.MetaModifier: _Modifiers(64, 0x8, "LOGO"),
}
# Qt key → keysym of X11, virtual key of Windows, name of the keysym
_NAMED = {
    _Key.Key_Space: (0x20, 0x20, "space"),
    _Key.Key_Return: (0xFF0D, 0x0D, "Return"),
    _Key.Key_Tab: (0xFF09, 0x09, "Tab"),
    _Key.Key_Backspace: (0xFF08, 0x08, "BackSpace"),
    _Key.Key_Insert: (0xFF63, 0x2D, "Insert"),
    _Key.Key_Delete: (0xFFFF, 0x2E, "Delete"),
    _Key.Key_Home: (0xFF50, 0x24, "Home"),
    _Key.Key_End: (0xFF57, 0x23, "End"),
    _Key.Key_PageUp: (0xFF55, 0x21, "Prior"),
    _Key.Key_PageDown: (0xFF56, 0x22, "Next"),
    _Key.Key_Left: (0xFF51, 0x25, "Left"),
    _Key.Key_Up: (0xFF52, 0x26, "Up"),
    _Key.Key_Right: (0xFF53, 0x27, "Right"),
    _Key.Key_Down: (0xFF54, 0x28, "Down"),
    _Key.Key_Pause: (0xFF13, 0x13, "Pause"),
}
_F1, _F24 = _Key.Key_F1.value, _Key.Key_F24.value


class Shortcut(NamedTuple):
    keysym: int  # X11
    x11_modifiers: int
    virtual_key: int  # Windows
    windows_modifiers: int
    trigger: str  # for the portal


def parse(text: str) -> Shortcut | None:
    """Return the combination; None for none, or for one without a modifier or with an unknown key."""
    wanted = QKeySequence(text or DEFAULT)
    if text == NONE or wanted.count() != 1:
        return None
    keys = wanted[0]  # type: ignore[index]
    held = [names for flag, names in _MODIFIERS.items() if keys.keyboardModifiers() & flag]
    found = _key(keys.key())
    is_function = _F1 <= keys.key().value <= _F24
    if found is None or not (is_function or any(names.portal != "SHIFT" for names in held)):
        return None  # a letter alone would be taken from every application
    keysym, virtual, name = found
    return Shortcut(
        keysym,
        sum(names.x11 for names in held),
        virtual,
        sum(names.windows for names in held),
        "+".join((*(names.portal for names in held), name)),
    )


def _key(key: Qt.Key) -> tuple[int, int, str] | None:
    value = key.value
    if ord("A") <= value <= ord("Z"):
        return value + 32, value, chr(value + 32)
    if ord("0") <= value <= ord("9"):
        return value, value, chr(value)
    if _F1 <= value <= _F24:
        number = value - _F1
        return 0xFFBE + number, 0x70 + number, f"F{number + 1}"
    return _NAMED.get(key)
