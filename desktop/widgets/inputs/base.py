"""What every input has in common: it yields what was entered. What that means, bridge.api.schema says."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLineEdit, QToolButton, QVBoxLayout, QWidget

from bridge.api import schema
from desktop.widgets.safe_text import one_line

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Input(QFrame):
    """`submitted`: Return was pressed where it does not mean anything else."""

    changed = Signal()
    submitted = Signal()

    def __init__(self, field: schema.Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.title = one_line(field.title or field.name, 200)
        self.setObjectName(f"input:{field.name}")
        self.label_target: QWidget = self  # what bears the field's name

    def entered(self) -> schema.Entered:
        raise NotImplementedError

    def explain(self, reason: str) -> str:
        """What is wrong, in words for what this input looks like."""
        return reason

    def freeze(self) -> None:
        """Shows what was entered, takes nothing more."""
        self.setEnabled(False)

    def describe(self, text: str) -> None:
        """Help and errors, for those who cannot see them beside the field."""
        self.label_target.setAccessibleDescription(text)

    def set_main_widget(self, widget: QWidget) -> None:
        """This widget takes the focus and bears the field's name."""
        self.setFocusProxy(widget)
        self.set_label_target(widget)

    def set_label_target(self, widget: QWidget) -> None:
        self.label_target = widget
        widget.setObjectName(f"field:{self.field.name}")
        widget.setAccessibleName(self.title)

    def column(self) -> QBoxLayout:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        return column

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return on a check box, radio button or list: some platform themes would press it instead."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self.takes_key(event):
            return True
        return super().eventFilter(watched, event)

    def takes_key(self, event: QKeyEvent) -> bool:
        """A key on a widget that this input filters."""
        if event.key() in RETURN and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submitted.emit()
            return True
        return False


def make_clearable(line: QLineEdit, name: str, words: str) -> None:
    """Qt's own button that empties a line, with a name for those who cannot see its picture."""
    line.setClearButtonEnabled(True)
    for button in line.findChildren(QToolButton):
        button.setObjectName(name)
        button.setAccessibleName(words)


@cache
def preload_clear_button() -> None:
    """The first of them looks for its picture in the theme of the system, which is better done on its own."""
    QLineEdit().setClearButtonEnabled(True)


def entered_text(entered: schema.Entered) -> str:
    """What was entered, as lines of text."""
    return "\n".join(map(str, entered)) if isinstance(entered, tuple) else str(entered or "")
