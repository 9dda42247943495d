"""What only assistive technology is told."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLabel


def add_hidden_label(box: QComboBox) -> None:
    """On Linux Qt tells what is chosen as a combo box's name, and leaves the name to the label beside it.

    Here is one for a box that has none to be seen; once it is in its place.
    """
    label = QLabel(box.accessibleName(), box.parentWidget())
    label.setBuddy(box)
    label.hide()
