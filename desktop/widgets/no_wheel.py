"""The wheel scrolls the page it is over; it never changes a value that happens to pass under the mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class _WheelFilter(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel:
            return False
        event.ignore()  # so that whoever scrolls gets it
        return True


def ignore_wheel(widget: QWidget) -> None:
    """For combo boxes and spin boxes."""
    widget.installEventFilter(_WheelFilter(widget))
