"""Are you sure? Foreign names in that question are words, never markup."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktop.widgets.dialogs import confirm


def test_a_name_in_the_question_is_not_markup_and_the_question_stands_out(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    box = confirm(window, "Delete <img src=x><b>big</b>?", "It is <i>used</i>.", "&Delete", lambda: None)
    assert box.textFormat() is Qt.TextFormat.PlainText
    (title,) = box.findChildren(QLabel, "qt_msgbox_label")
    assert title.font().bold()
    assert title.textFormat() is Qt.TextFormat.PlainText
    (said,) = box.findChildren(QLabel, "qt_msgbox_informativelabel")
    assert said.textFormat() is Qt.TextFormat.PlainText
    assert box.icon() is QMessageBox.Icon.NoIcon
    assert not box.iconPixmap().isNull()
