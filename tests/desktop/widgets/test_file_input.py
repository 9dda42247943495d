"""A file in an answer: chosen, dropped or pasted, seen before it is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bridge.api import files, parse_form
from desktop.widgets.inputs.factory import make_input
from desktop.widgets.inputs.file import FileInput
from tests.desktop import samples


def make(qtbot: QtBot, **node: Any) -> FileInput:
    wanted = {"type": "string", "title": "Picture", "contentEncoding": "base64", **node}
    made = make_input(parse_form(samples.form({"it": wanted}).schema).fields[0])
    assert isinstance(made, FileInput)
    qtbot.addWidget(made)
    made.show()
    return made


def about(made: FileInput) -> str:
    return made.findChildren(QLabel, "file:it")[0].text()


def test_a_chosen_picture_is_shown_in_small_with_its_name_and_can_be_removed(
    tmp_path: Path, qtbot: QtBot
) -> None:
    made = make(qtbot, contentMediaType="image/png")
    (tmp_path / "chart.png").write_bytes(samples.png())
    made.read(tmp_path / "chart.png")
    assert files.decode(files.BASE64, str(made.entered())) == samples.png()
    assert about(made).startswith("chart.png · ")
    made.findChildren(QPushButton, "clear:it")[0].click()
    assert made.entered() == ""


def test_another_kind_of_file_is_refused(tmp_path: Path, qtbot: QtBot) -> None:
    made = make(qtbot, contentMediaType="image/*")
    (tmp_path / "notes.txt").write_text("no picture")
    made.read(tmp_path / "notes.txt")
    assert made.entered() == ""
    assert about(made) == "Only image/* files can be sent here."


@pytest.mark.parametrize("as_url", [False, True])
def test_a_picture_is_pasted_and_a_file_is_dropped(as_url: bool, tmp_path: Path, qtbot: QtBot) -> None:
    made = make(qtbot, format="data-url")
    data = QMimeData()
    if as_url:
        (tmp_path / "a.txt").write_text("hello")
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    else:
        data.setImageData(QImage.fromData(samples.png()))
    QGuiApplication.clipboard().setMimeData(data)
    QTest.keyClick(made.label_target, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert str(made.entered()).startswith("data:text/plain;base64," if as_url else "data:image/png;base64,")


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, qtbot: QtBot) -> None:
    made = make(qtbot)
    made.read(tmp_path / "missing")
    assert about(made) == "No such file or directory"
