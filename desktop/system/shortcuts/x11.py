"""A key combination grabbed from the X server, by libxcb on a connection of its own.

libxcb and not Xlib: a grab that another program holds is an error, and Xlib ends the process on errors.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier

from desktop.system.shortcuts.keys import Shortcut

_KEY_PRESS, _SENT = 2, 0x80  # xproto.h; an event that another client sent has the high bit set
_ASYNC = 1  # XCB_GRAB_MODE_ASYNC
_LOCKS = (0, 2, 16, 18)  # nothing, Caps Lock, Num Lock, both: a grab is for exactly one state


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Screens(ctypes.Structure):
    """xcb_screen_iterator_t; a screen begins with its root window."""

    _fields_ = (("data", ctypes.POINTER(ctypes.c_uint32)), ("rem", ctypes.c_int), ("index", ctypes.c_int))


class X11Hotkey(QObject):
    """`pressed` is called for each press. Raises OSError if libxcb or the X server is missing."""

    def __init__(self, pressed: Callable[[], object]) -> None:
        super().__init__()
        self._pressed = pressed
        self._xcb, self._symbols = _libraries()
        self._server = ctypes.c_void_p(self._xcb.xcb_connect(None, None))
        if self._xcb.xcb_connection_has_error(self._server):
            self._xcb.xcb_disconnect(self._server)
            raise OSError("no X server")
        self._notifier = QSocketNotifier(
            self._xcb.xcb_get_file_descriptor(self._server), QSocketNotifier.Type.Read, self
        )
        self._notifier.activated.connect(self._read)

    def grab(self, keys: Shortcut) -> bool:
        """Grab the combination, whatever locks are on; False if another program has it."""
        screens = self._xcb.xcb_setup_roots_iterator(self._xcb.xcb_get_setup(self._server))
        root = screens.data[0]
        codes = list(self._codes(keys.keysym))
        return bool(codes) and all(
            self._grab(root, code, keys.x11_modifiers | lock) for code in codes for lock in _LOCKS
        )

    def close(self) -> None:
        """End the connection, and with it the grab."""
        self._notifier.setEnabled(False)
        self._xcb.xcb_disconnect(self._server)

    def _codes(self, keysym: int) -> Iterator[int]:
        """Return the keys of this keyboard that type the keysym."""
        table = ctypes.c_void_p(self._symbols.xcb_key_symbols_alloc(self._server))
        found = self._symbols.xcb_key_symbols_get_keycode(table, keysym)
        for place in range(8):
            if not found or not found[place]:
                break
            yield found[place]
        self._symbols.xcb_key_symbols_free(table)

    def _grab(self, root: int, code: int, modifiers: int) -> bool:
        cookie = self._xcb.xcb_grab_key_checked(self._server, 1, root, modifiers, code, _ASYNC, _ASYNC)
        return not self._xcb.xcb_request_check(self._server, cookie)

    def _read(self) -> None:
        while event := self._xcb.xcb_poll_for_event(self._server):
            if event[0] & ~_SENT == _KEY_PRESS:
                self._pressed()
        if self._xcb.xcb_connection_has_error(self._server):
            self._notifier.setEnabled(False)


def _libraries() -> tuple[Any, Any]:
    """Return libxcb and libxcb-keysyms with the types of the functions used here (xcb.h, xcb_keysyms.h)."""
    xcb, symbols = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL("libxcb-keysyms.so.1")
    pointer, byte, word = ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32
    bytes_ = ctypes.POINTER(ctypes.c_uint8)
    for library, name, result, arguments in (
        (xcb, "xcb_connect", pointer, (ctypes.c_char_p, pointer)),
        (xcb, "xcb_disconnect", None, (pointer,)),
        (xcb, "xcb_connection_has_error", ctypes.c_int, (pointer,)),
        (xcb, "xcb_get_file_descriptor", ctypes.c_int, (pointer,)),
        (xcb, "xcb_get_setup", pointer, (pointer,)),
        (xcb, "xcb_setup_roots_iterator", _Screens, (pointer,)),
        (xcb, "xcb_grab_key_checked", _Cookie, (pointer, byte, word, ctypes.c_uint16, byte, byte, byte)),
        (xcb, "xcb_request_check", pointer, (pointer, _Cookie)),
        (xcb, "xcb_poll_for_event", bytes_, (pointer,)),
        (symbols, "xcb_key_symbols_alloc", pointer, (pointer,)),
        (symbols, "xcb_key_symbols_free", None, (pointer,)),
        (symbols, "xcb_key_symbols_get_keycode", bytes_, (pointer, word)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return xcb, symbols
