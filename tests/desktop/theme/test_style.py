"""The widget style gives all fields the same form."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from desktop.widgets.controls import make_choice
from desktop.widgets.layouts import column


def test_the_text_of_every_field_begins_at_the_same_place(qtbot: QtBot) -> None:
    choice, number, line = make_choice("choice", "Choice", [("WWW", "")]), QSpinBox(), QLineEdit("WWW")
    number.setPrefix("WWW")
    host = QWidget()
    qtbot.addWidget(host)
    fields: list[QWidget] = [choice, number, line]
    for field in fields:
        field.setFixedWidth(200)
    host.setLayout(column(*fields))
    host.show()
    begins = []
    for field in fields:
        image = field.grab().toImage()
        middle, ground = image.height() // 2, image.pixel(6, image.height() // 2)
        begins.append(next(x for x in range(6, 60) if image.pixel(x, middle) != ground))
    assert max(begins) - min(begins) <= 1, begins
