"""Read from the desktop whether do-not-disturb is on, the screen is locked and how long the user is idle.

Everything is read anew for each alert, with a short timeout; no reply means unknown. No service is started.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer

from bridge.api import interruption
from desktop.system.dbus import DBus, DBusObject
from desktop.system.power import LOCKED_HINT, OWN_SESSION, SAVERS

TIMEOUT = 150  # milliseconds
_NOTIFICATIONS, _AT = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_PORTAL = DBusObject(
    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
)
_XFCONF = DBusObject("org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf")
_MUTTER = DBusObject(
    "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor"
)
_GNOME_BANNERS = ("org.gnome.desktop.notifications", "show-banners")
_XFCE_QUIET = ("xfce4-notifyd", "/do-not-disturb")
_LOCKED_ON_WINDOWS = 1  # SHQueryUserNotificationState: nobody is present
_BUSY_ON_WINDOWS = (2, 3, 4, 6)  # SHQueryUserNotificationState: busy, full screen, presentation, quiet time

OnScene = Callable[[interruption.Activity], None]


class UserActivity(QObject):
    def __init__(self, bus: DBus, system: DBus) -> None:
        super().__init__()
        self._bus = bus
        self._system = system

    def look(self, wishes: interruption.AlertSettings, callback: OnScene) -> None:
        """Call `callback` once: when every reply is there, or at the timeout."""
        ActivityQuery(self._bus, self._system, wishes, callback, self).begin()


class ActivityQuery(QObject):
    """One reading of everything."""

    def __init__(
        self, bus: DBus, system: DBus, wishes: interruption.AlertSettings, callback: OnScene, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bus = bus
        self._system = system
        self._wishes = wishes
        self._callback: OnScene | None = callback  # None: was called
        self._open = 1  # replies to come; `begin` itself counts as one
        self._busy = False
        self._locked = False
        self._idle: float | None = None
        self._timeout = QTimer(self, singleShot=True, interval=TIMEOUT)
        self._timeout.timeout.connect(self._end)

    def begin(self) -> None:
        self._timeout.start()
        self._ask_whether_locked()
        if self._wishes.do_not_disturb:
            self._ask_whether_busy()
        self._ask_how_idle()
        self._answered()

    def _ask_whether_locked(self) -> None:
        self._locked = locked_here()
        for saver in SAVERS:
            self._ask(saver, "GetActive", (), self._is_locked_if_true)
        self._ask(OWN_SESSION, "Get", LOCKED_HINT, self._is_locked_if_true, self._system)

    def _ask_whether_busy(self) -> None:
        self._busy = busy_here()
        properties = DBusObject(_NOTIFICATIONS, _AT, _PROPERTIES)
        for interface, name in ((_NOTIFICATIONS, "Inhibited"), ("org.dunstproject.cmd0", "paused")):
            self._ask(properties, "Get", (interface, name), self._is_busy_if_true)
        if is_desktop("GNOME", os.environ):
            self._ask(_PORTAL, "Read", _GNOME_BANNERS, self._is_busy_if_false)
        if is_desktop("XFCE", os.environ):
            self._ask(_XFCONF, "GetProperty", _XFCE_QUIET, self._is_busy_if_true)

    def _ask_how_idle(self) -> None:
        self._idle = idle_here()
        if self._idle is None:
            self._ask(_MUTTER, "GetIdletime", (), self._is_idle)

    def _ask(
        self, place: DBusObject, method: str, body: tuple[str, ...], use: Any, bus: DBus | None = None
    ) -> None:
        """Call a method whose arguments are strings; `use` gets the first value of its reply."""
        self._open += 1

        def reply(found: tuple[Any, ...] | None) -> None:
            if found:
                use(unwrap_variant(found[0]))
            self._answered()

        (bus or self._bus).call(place, method, "s" * len(body), body, reply, start=False)

    def _is_locked_if_true(self, value: object) -> None:
        self._locked = self._locked or value is True

    def _is_busy_if_true(self, value: object) -> None:
        self._busy = self._busy or value is True

    def _is_busy_if_false(self, value: object) -> None:
        self._busy = self._busy or value is False

    def _is_idle(self, value: object) -> None:
        self._idle = value / 1000 if isinstance(value, int) else None

    def _answered(self) -> None:
        self._open -= 1
        if not self._open:
            self._end()

    def _end(self) -> None:
        """Call the callback; replies after that are ignored."""
        callback, self._callback = self._callback, None
        if callback is not None:
            self._timeout.stop()
            callback(interruption.Activity(self._busy, self._idle, locked=self._locked))
            self.deleteLater()


def unwrap_variant(value: Any) -> Any:
    """Unwrap nested D-Bus variants: jeepney returns (signature, value)."""
    while isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        value = value[1]
    return value


def is_desktop(name: str, env: Mapping[str, str]) -> bool:
    return name in env.get("XDG_CURRENT_DESKTOP", "").upper().split(":")


def busy_here() -> bool:
    """True if Windows reports a full screen, a presentation or quiet time."""
    return _state_on_windows() in _BUSY_ON_WINDOWS


def locked_here() -> bool:
    return _state_on_windows() == _LOCKED_ON_WINDOWS


def _state_on_windows() -> int:
    if sys.platform != "win32":
        return 0
    state = ctypes.c_int(0)
    failed = ctypes.windll.shell32.SHQueryUserNotificationState(ctypes.byref(state))
    return 0 if failed else state.value


def idle_here() -> float | None:
    """Return seconds since the last input; None if the system does not report it."""
    try:
        if sys.platform == "win32":
            return _idle_on_windows()
        if sys.platform == "darwin":
            return _idle_on_macos()
        return _idle_on_x11() if os.environ.get("XDG_SESSION_TYPE") != "wayland" else None
    except (OSError, AttributeError):  # library missing or incompatible
        return None


def _idle_on_windows() -> float | None:
    class LastInput(ctypes.Structure):
        _fields_ = (("size", ctypes.c_uint), ("time", ctypes.c_uint))

    last = LastInput(ctypes.sizeof(LastInput), 0)
    windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
    if not windll.user32.GetLastInputInfo(ctypes.byref(last)):
        return None
    return float((windll.kernel32.GetTickCount() - last.time) & 0xFFFFFFFF) / 1000


def _idle_on_macos() -> float | None:
    quartz = ctypes.CDLL("/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices")
    quartz.CGEventSourceSecondsSinceLastEventType.restype = ctypes.c_double
    quartz.CGEventSourceSecondsSinceLastEventType.argtypes = (ctypes.c_int, ctypes.c_uint32)
    return float(quartz.CGEventSourceSecondsSinceLastEventType(0, 0xFFFFFFFF))  # combined state, any event


class _ScreenSaverInfo(ctypes.Structure):
    """XScreenSaverInfo of X11/extensions/scrnsaver.h."""

    _fields_ = (
        ("window", ctypes.c_ulong),
        ("state", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("until", ctypes.c_ulong),
        ("idle", ctypes.c_ulong),
        ("mask", ctypes.c_ulong),
    )


def _idle_on_x11() -> float | None:
    x11, saver = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXss.so.1")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    opened = x11.XOpenDisplay(None)
    if not opened:
        return None
    display = ctypes.c_void_p(opened)
    try:
        info = _ScreenSaverInfo()
        root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
        if not saver.XScreenSaverQueryInfo(display, root, ctypes.byref(info)):
            return None
        return float(info.idle) / 1000
    finally:
        x11.XCloseDisplay(display)
