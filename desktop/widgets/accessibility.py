"""Small repairs of Qt's controls: accessible names of combo boxes, and a wheel that changes no values."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QComboBox, QLabel, QWidget


def add_hidden_label(box: QComboBox) -> None:
    """Give a combo box in a layout a hidden label with its accessible name.

    On Linux Qt reports the chosen text as the name of a combo box, unless it has a label.
    """
    label = QLabel(box.accessibleName(), box.parentWidget())
    label.setBuddy(box)
    label.hide()


class _WheelFilter(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel:
            return False
        event.ignore()  # for the scroll area around it
        return True


def ignore_wheel(widget: QWidget) -> None:
    """Let the wheel scroll the page instead of changing a combo box or spin box under the pointer."""
    widget.installEventFilter(_WheelFilter(widget))
