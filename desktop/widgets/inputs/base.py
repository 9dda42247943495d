"""Base class of all inputs of a form. bridge.api.schema decides what an entered value means."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from bridge.api import schema
from desktop.widgets.text.safe_text import one_line

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Input(QFrame):
    """`submitted`: Return was pressed, and the input has no other use for it. `resized`: it needs another
    height."""

    changed = Signal()
    resized = Signal()
    submitted = Signal()

    def __init__(self, field: schema.Field) -> None:
        super().__init__()
        self.field = field
        self.title = one_line(field.title or field.name, 200)
        self.setObjectName(f"input:{field.name}")
        self.label_target: QWidget = self  # the widget with the field's accessible name

    def entered(self) -> schema.Entered:
        raise NotImplementedError

    def enter(self, entered: schema.Entered) -> None:
        """Show this value, as if the person had entered it."""
        raise NotImplementedError

    def explain(self, reason: str) -> str:
        """Rewrite an error text for the way this input looks."""
        return reason

    def freeze(self) -> None:
        """Make the input read-only."""
        self.setEnabled(False)

    def describe(self, text: str) -> None:
        """Set help and errors as accessible description."""
        self.label_target.setAccessibleDescription(text)

    def set_main_widget(self, widget: QWidget) -> None:
        """Give `widget` the focus and the field's accessible name."""
        self.setFocusProxy(widget)
        self.set_label_target(widget)

    def set_label_target(self, widget: QWidget) -> None:
        self.label_target = widget
        widget.setObjectName(f"field:{self.field.name}")
        widget.setAccessibleName(self.title)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys of filtered widgets: with some platform themes Return would toggle a check box."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self.takes_key(event):
            return True
        return super().eventFilter(watched, event)

    def takes_key(self, event: QKeyEvent) -> bool:
        """Handle a key press on a filtered widget; True if it is used up."""
        if event.key() in RETURN and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submitted.emit()
            return True
        return False


def entered_text(entered: schema.Entered) -> str:
    """Return an entered value as text, one line per item."""
    return "\n".join(map(str, entered)) if isinstance(entered, tuple) else str(entered or "")
