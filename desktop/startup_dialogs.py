"""Message boxes of the application: it cannot start, it is about to quit."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QPushButton

from bridge.api import DeskbellError
from desktop.language import translated
from desktop.theme.painting import ButtonKind, set_kind
from desktop.widgets.dialogs import style_box

translate = QCoreApplication.translate
_YES, _NO = QMessageBox.ButtonRole.AcceptRole, QMessageBox.ButtonRole.RejectRole


def quitting(waiting: int, *, typed: bool) -> tuple[QMessageBox, QAbstractButton]:
    """Return the box that asks before quitting with questions waiting, and its Quit button."""
    title = translate("app", "Quit with a question waiting?")
    text = translate("app", "It will be cancelled, and the AI app will be told.")
    if waiting > 1:
        title = translate("app", "Quit with {count} questions waiting?").format(count=waiting)
        text = translate("app", "They will be cancelled, and the AI apps will be told.")
    if typed:
        text += "\n" + translate("app", "What you typed is kept under Unsent drafts.")
    box, leave, stay = _ask(title, text, translate("app", "&Quit"), translate("app", "&Cancel"))
    box.setObjectName("quitBox")
    set_kind(leave, ButtonKind.DANGER)
    box.setDefaultButton(stay)
    return box, leave


def not_started(error: DeskbellError) -> QMessageBox:
    buttons = QMessageBox.StandardButton.Retry | QMessageBox.StandardButton.Close
    box = QMessageBox(QMessageBox.Icon.Critical, "Deskbell", translated(error.title), buttons)
    box.setInformativeText(translated(error.message))
    style_box(box)
    return box


def taking_over() -> tuple[QMessageBox, QAbstractButton]:
    """Return the box that offers to replace a running bridge, and its button for that."""
    title = translate("app", "Deskbell is already running without windows.")
    text = translate(
        "app",
        "AI apps are connected to it. If you take over, their connections end; restart them, "
        "and from then on their questions come here.",
    )
    box, take, _ = _ask(title, text, translate("app", "&Take over"), translate("app", "&Quit"))
    return box, take


def _ask(title: str, text: str, yes: str, no: str) -> tuple[QMessageBox, QPushButton, QPushButton]:
    box = QMessageBox(QMessageBox.Icon.Question, "Deskbell", title)
    box.setInformativeText(text)
    buttons = box.addButton(yes, _YES), box.addButton(no, _NO)
    style_box(box)
    return box, *buttons
