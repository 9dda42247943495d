"""Check for a system tray without Qt, which looks for a StatusNotifier tray once and caches the result.

If asked before the panel is up, as at log-in, Qt never finds one (qdbusmenuconnection, isDBusTrayAvailable).
"""

from __future__ import annotations

import ctypes

from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage
from PySide6.QtGui import QGuiApplication

_WATCHER = "org.kde.StatusNotifierWatcher"
_TIMEOUT = 500  # milliseconds, for a panel that hangs


def may_look() -> bool:
    """True if Qt would find a tray, or does not cache that it found none."""
    platform = QGuiApplication.platformName()
    if platform == "xcb":
        return _has_host() or _embeds()
    return _has_host() if platform.startswith("wayland") else True


def _has_host() -> bool:
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    ask = QDBusMessage.createMethodCall(
        _WATCHER, "/StatusNotifierWatcher", "org.freedesktop.DBus.Properties", "Get"
    )
    ask.setArguments([_WATCHER, "IsStatusNotifierHostRegistered"])
    ask.setAutoStartService(False)
    reply = bus.call(ask, QDBus.CallMode.Block, _TIMEOUT)
    arguments = reply.arguments()
    if reply.type() is not QDBusMessage.MessageType.ReplyMessage or not arguments:
        return False
    value = arguments[0]
    return bool(value.variant() if hasattr(value, "variant") else value)


def _embeds() -> bool:
    """True if an XEmbed tray owns its selection (freedesktop System Tray Protocol)."""
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return True  # let Qt look
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = x11.XGetSelectionOwner.restype = ctypes.c_ulong
    opened = x11.XOpenDisplay(None)
    if not opened:
        return True
    display = ctypes.c_void_p(opened)
    try:
        name = f"_NET_SYSTEM_TRAY_S{x11.XDefaultScreen(display)}".encode()
        atom = ctypes.c_ulong(x11.XInternAtom(display, name, 0))
        return bool(x11.XGetSelectionOwner(display, atom))
    finally:
        x11.XCloseDisplay(display)
