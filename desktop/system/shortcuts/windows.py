"""A key combination registered with Windows (RegisterHotKey)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import wintypes
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication

from desktop.system.shortcuts.keys import Shortcut

_WM_HOTKEY = 0x0312
_NO_REPEAT = 0x4000  # MOD_NOREPEAT
_ID = 1


class WindowsHotkey(QAbstractNativeEventFilter):
    def __init__(self, pressed: Callable[[], object]) -> None:
        super().__init__()
        self._pressed = pressed
        self._user32: Any = ctypes.windll.user32  # type: ignore[attr-defined,unused-ignore]
        self._app = QCoreApplication.instance()
        if self._app is not None:
            self._app.installNativeEventFilter(self)

    def grab(self, keys: Shortcut) -> bool:
        """Register the combination for this thread; False if another program has it."""
        held = keys.windows_modifiers | _NO_REPEAT
        return bool(self._user32.RegisterHotKey(None, _ID, held, keys.virtual_key))

    def close(self) -> None:
        self._user32.UnregisterHotKey(None, _ID)
        if self._app is not None:
            self._app.removeNativeEventFilter(self)

    def nativeEventFilter(self, kind: QByteArray | bytes | bytearray | memoryview[int], message: int) -> Any:
        """Look for WM_HOTKEY among the messages of this thread."""
        found = wintypes.MSG.from_address(int(message))
        if found.message == _WM_HOTKEY and found.wParam == _ID:
            self._pressed()
            return True, 0
        return False, 0
