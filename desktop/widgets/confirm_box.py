"""A confirmation box that does not block. Esc and Return choose Cancel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QWidget

from desktop.widgets.icons import app_icon

_PICTURE = 48
_WIDE = 44  # characters; a box with a short title would be a few words wide


def confirm(
    parent: QWidget,
    title: str,
    text: str,
    yes: str,
    act: Callable[[], object],
    *,
    name: str = "sure",
    otherwise: Callable[[], object] = lambda: None,
    check: QCheckBox | None = None,
) -> QMessageBox:
    """Ask the user; call `act` on yes, else `otherwise`. `check`: an additional check box."""
    box = QMessageBox(QMessageBox.Icon.Question, "Deskbell", title, parent=parent)
    box.setObjectName(name)
    box.setInformativeText(text)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(QCoreApplication.translate("asking", "&Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    box.finished.connect(lambda: act() if box.clickedButton() is agree else otherwise())
    if check is not None:
        box.setCheckBox(check)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    style_box(box)
    box.open()
    return box


def style_box(box: QMessageBox) -> None:
    """Show plain text only, the title bold, our icon on questions, and the explanation in wide lines."""
    box.setTextFormat(Qt.TextFormat.PlainText)
    if box.icon() is QMessageBox.Icon.Question:
        box.setIconPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
    for title in box.findChildren(QLabel, "qt_msgbox_label"):
        font = title.font()
        font.setBold(True)
        title.setFont(font)
    for text in box.findChildren(QLabel, "qt_msgbox_informativelabel"):
        text.setTextFormat(Qt.TextFormat.PlainText)
        letters = min(len(text.text()), _WIDE)
        text.setMinimumWidth(text.fontMetrics().averageCharWidth() * letters)
