"""Labels of a form stand beside the middle of their fields."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.widgets.labels import Label
from desktop.widgets.layouts import align_labels, column, row, widget_with


def test_a_label_is_in_the_middle_of_its_field_also_above_a_note(qtbot: QtBot) -> None:
    titles = (QLabel("Name"), QLabel("Kind"), QLabel("Good for"))
    fields = (QLineEdit(), QComboBox(), QCheckBox("Speed"))
    form = QFormLayout()
    form.addRow(titles[0], column(fields[0], Label("A note below the field.")))
    form.addRow(titles[1], fields[1])
    form.addRow(titles[2], row(fields[2], QCheckBox("Price")))
    align_labels(form)
    window = widget_with(form)
    qtbot.addWidget(window)
    window.show()
    for title, field in zip(titles, fields, strict=True):
        assert title.height() > 0
        assert abs(title.geometry().center().y() - field.geometry().center().y()) <= 1
