"""Message boxes of the application: it cannot start, it is about to quit."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox

from bridge.api import DeskbellError
from desktop.language import translated
from desktop.widgets.dialogs import style_box

translate = QCoreApplication.translate
_YES, _NO = QMessageBox.ButtonRole.AcceptRole, QMessageBox.ButtonRole.RejectRole


def quitting() -> tuple[QMessageBox, QAbstractButton]:
    """Return the box that asks before quitting, and its Quit button."""
    box = QMessageBox(
        QMessageBox.Icon.Question, "Deskbell", translate("app", "Quit, and lose what you typed?")
    )
    box.setObjectName("quitBox")
    box.setInformativeText(
        translate("app", "A question with your words in it is open. If Deskbell quits, it is cancelled.")
    )
    leave = box.addButton(translate("app", "&Quit"), _YES)
    box.setDefaultButton(box.addButton(translate("app", "&Cancel"), _NO))
    style_box(box)
    return box, leave


def not_started(error: DeskbellError) -> QMessageBox:
    buttons = QMessageBox.StandardButton.Retry | QMessageBox.StandardButton.Close
    box = QMessageBox(QMessageBox.Icon.Critical, "Deskbell", translated(error.title), buttons)
    box.setInformativeText(translated(error.message))
    style_box(box)
    return box


def taking_over() -> tuple[QMessageBox, QAbstractButton]:
    """Return the box that offers to replace a running bridge, and its button for that."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        "Deskbell",
        translate("app", "Deskbell is already running without windows."),
    )
    box.setInformativeText(
        translate(
            "app",
            "AI apps are connected to it. If you take over, their connections end; restart them, "
            "and from then on their questions come here.",
        )
    )
    take = box.addButton(translate("app", "&Take over"), _YES)
    box.addButton(translate("app", "&Quit"), _NO)
    style_box(box)
    return box, take
