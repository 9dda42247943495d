"""Are you sure? A box that is never waited for; Esc and Return keep things as they are."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask(parent: QWidget, title: str, text: str, yes: str, act: Callable[[], object]) -> QMessageBox:
    """`act` once the person says yes."""
    box = QMessageBox(QMessageBox.Icon.Question, "Deskbell", title, parent=parent)
    box.setObjectName("sure")
    box.setInformativeText(text)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(QCoreApplication.translate("asking", "&Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.finished.connect(lambda: act() if box.clickedButton() is agree else None)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
