"""Are you sure? A box that is never waited for; Esc and Return keep things as they are."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QWidget

from desktop.widgets.icons import app_icon

_PICTURE = 48
_WIDE = 44  # letters; Qt breaks the lines of a short title's box after a few words


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
    """`act` once the person says yes, else `otherwise`. `check`: something to decide besides."""
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
    """Plain words, the first of them bold, and our bell beside them unless it tells of an error. What the
    box explains is read in lines, not in a column."""
    box.setTextFormat(Qt.TextFormat.PlainText)
    if box.icon() is QMessageBox.Icon.Question:
        box.setIconPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
    for title in box.findChildren(QLabel, "qt_msgbox_label"):
        font = title.font()
        font.setBold(True)
        title.setFont(font)
    for said in box.findChildren(QLabel, "qt_msgbox_informativelabel"):
        said.setTextFormat(Qt.TextFormat.PlainText)
        letters = min(len(said.text()), _WIDE)
        said.setMinimumWidth(said.fontMetrics().averageCharWidth() * letters)
