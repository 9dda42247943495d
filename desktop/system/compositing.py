"""Whether windows can be translucent here: on X11 a compositor must run, and many desktops have none."""

from __future__ import annotations

import ctypes
from typing import Any

from PySide6.QtGui import QGuiApplication, QNativeInterface

_SELECTION = b"_NET_WM_CM_S0"  # a compositor of the first screen owns it (EWMH)


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Reply(ctypes.Structure):
    """Of both requests: eight bytes, then an atom or a window."""

    _fields_ = (("head", ctypes.c_uint64), ("value", ctypes.c_uint32))


def is_composited() -> bool:
    """Return whether a translucent window shows what is behind it."""
    if QGuiApplication.platformName() != "xcb":
        return True
    native: Any = QGuiApplication.instance().nativeInterface()  # type: ignore[union-attr]
    if not isinstance(native, QNativeInterface.QX11Application):
        return True
    server = ctypes.c_void_p(native.connection())
    try:
        name = ctypes.c_uint8(0), ctypes.c_uint16(len(_SELECTION)), _SELECTION
        atom = _ask(server, "xcb_intern_atom", *name)
        return bool(_ask(server, "xcb_get_selection_owner", ctypes.c_uint32(atom)))
    except (OSError, AttributeError):  # no libxcb
        return False


def _ask(server: ctypes.c_void_p, request: str, *arguments: Any) -> int:
    """Send a request on Qt's connection; return the number in its reply."""
    xcb, libc = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL(None)
    send, read = getattr(xcb, request), getattr(xcb, f"{request}_reply")
    send.restype, read.restype = _Cookie, ctypes.POINTER(_Reply)
    reply = read(server, send(server, *arguments), None)
    if not reply:
        return 0
    value = int(reply.contents.value)
    libc.free(reply)
    return value
