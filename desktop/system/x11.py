"""What Qt does not ask of an X server: whether windows can be translucent, and no task button for a window.

On Qt's own connection, by libxcb. Elsewhere than on X11, nothing is asked.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from PySide6.QtGui import QGuiApplication, QNativeInterface

_COMPOSITOR = b"_NET_WM_CM_S0"  # a compositor of the first screen owns this selection (EWMH)
_STATE = b"_NET_WM_STATE"
_LEFT_OUT = (b"_NET_WM_STATE_SKIP_TASKBAR", b"_NET_WM_STATE_SKIP_PAGER")
_APPEND, _ATOM, _BITS = 2, 4, 32  # XCB_PROP_MODE_APPEND, XCB_ATOM_ATOM


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Reply(ctypes.Structure):
    """Of both requests: eight bytes, then an atom or a window."""

    _fields_ = (("head", ctypes.c_uint64), ("value", ctypes.c_uint32))


def is_composited() -> bool:
    """Return whether a translucent window shows what is behind it."""
    server = _connection()
    if server is None:
        return True
    try:
        return bool(_ask(server, "xcb_get_selection_owner", ctypes.c_uint32(_atom(_COMPOSITOR))))
    except (OSError, AttributeError):  # no libxcb
        return False


def leave_out_of_task_bar(window: int) -> None:
    """Give this window no button in task bars and pagers; to be called each time before it is shown."""
    server = _connection()
    if server is None:
        return
    try:
        send = ctypes.CDLL("libxcb.so.1").xcb_change_property
        send.restype = _Cookie
        states = (ctypes.c_uint32 * len(_LEFT_OUT))(*map(_atom, _LEFT_OUT))
        words = ctypes.c_uint32(window), ctypes.c_uint32(_atom(_STATE)), ctypes.c_uint32(_ATOM)
        send(server, ctypes.c_uint8(_APPEND), *words, ctypes.c_uint8(_BITS), len(_LEFT_OUT), states)
    except (OSError, AttributeError):  # no libxcb
        return


def _connection() -> ctypes.c_void_p | None:
    """Return Qt's connection to the X server; None elsewhere."""
    if QGuiApplication.platformName() != "xcb":
        return None
    native: Any = QGuiApplication.instance().nativeInterface()  # type: ignore[union-attr]
    if not isinstance(native, QNativeInterface.QX11Application):
        return None
    return ctypes.c_void_p(native.connection())


@cache
def _atom(name: bytes) -> int:
    server = _connection()
    return _ask(server, "xcb_intern_atom", ctypes.c_uint8(0), ctypes.c_uint16(len(name)), name)


def _ask(server: ctypes.c_void_p | None, request: str, *arguments: Any) -> int:
    """Send a request; return the number in its reply."""
    xcb, libc = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL(None)
    send, read = getattr(xcb, request), getattr(xcb, f"{request}_reply")
    send.restype, read.restype = _Cookie, ctypes.POINTER(_Reply)
    reply = read(server, send(server, *arguments), None)
    if not reply:
        return 0
    value = int(reply.contents.value)
    libc.free(reply)
    return value
