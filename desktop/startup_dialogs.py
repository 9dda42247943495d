"""Message boxes of the application: it cannot start, it is about to quit."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QPushButton

from bridge.api import AlreadyRunning, DeskbellError, Home, ask_running_to_yield
from desktop import qt_loop
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


async def try_again(error: DeskbellError, home: Home) -> bool:
    """Explain why the start failed; True if the person wants to retry."""
    if isinstance(error, AlreadyRunning):
        return await _take_over(home)
    return await qt_loop.finished(not_started(error)) == QMessageBox.StandardButton.Retry


async def _take_over(home: Home) -> bool:
    """Ask the Deskbell that runs without windows to end; True if this one may start."""
    if await qt_loop.in_thread(partial(ask_running_to_yield, home, False)):
        return True
    box, take = taking_over()
    await qt_loop.finished(box)
    if box.clickedButton() is not take:
        return False
    await qt_loop.in_thread(partial(ask_running_to_yield, home, True))
    return True


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
