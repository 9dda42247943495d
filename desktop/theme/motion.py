"""Short motion, which stands still for people who ask their system to reduce it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

SHORT = 120  # milliseconds: a knob slides, a ground changes
_CLIENT_AREA_ANIMATION = 0x1042  # SPI_GETCLIENTAREAANIMATION
_reduced = False


def set_reduced(on: bool) -> None:
    """Set whether the desktop portal asks for reduced motion."""
    global _reduced
    _reduced = on


def is_reduced() -> bool:
    """True if the person asked their system for less motion."""
    return _reduced or _reduced_by_system()


def _reduced_by_system() -> bool:
    if sys.platform == "win32":
        shown = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(shown), 0)
        return not shown.value
    if sys.platform == "darwin":
        return _reduced_by_macos()
    return False


def _reduced_by_macos() -> bool:
    """Ask NSWorkspace.sharedWorkspace.accessibilityDisplayShouldReduceMotion."""
    objc = ctypes.CDLL("/usr/lib/libobjc.dylib")
    objc.objc_getClass.restype = objc.sel_registerName.restype = objc.objc_msgSend.restype = ctypes.c_void_p
    objc.objc_msgSend.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    objc.sel_registerName.argtypes = objc.objc_getClass.argtypes = [ctypes.c_char_p]
    workspace = objc.objc_msgSend(
        objc.objc_getClass(b"NSWorkspace"), objc.sel_registerName(b"sharedWorkspace")
    )
    selector = objc.sel_registerName(b"accessibilityDisplayShouldReduceMotion")
    return bool(workspace and (objc.objc_msgSend(workspace, selector) or 0) & 0xFF)


def animate(
    owner: QObject, start: float, end: float, step: Callable[[float], object]
) -> QVariantAnimation | None:
    """Call `step` with values from `start` to `end`; with `end` at once, and None, if motion is reduced."""
    if is_reduced():
        step(end)
        return None
    run = QVariantAnimation(owner, startValue=start, endValue=end, duration=SHORT)
    run.setEasingCurve(QEasingCurve.Type.OutCubic)
    run.valueChanged.connect(step)
    run.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)
    return run
