"""An open form as a person has it before them: keys, clicks, what it tells and what it sends."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Action, Answer, Question
from desktop.questions.form import FormWindow
from desktop.widgets.labels import Label


class Asked:
    """An open form, and every Answer it gave."""

    def __init__(self, qtbot: QtBot, question: Question) -> None:
        self.bot = qtbot
        self.answers: list[Answer] = []
        self.window = FormWindow(question)
        qtbot.addWidget(self.window)
        self.window.answered.connect(lambda _, answer: self.answers.append(answer))
        self.window.refused.connect(lambda _, answer: self.answers.append(answer))
        self.window.fit()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(lambda: self.window.isActiveWindow())

    def part(self, kind: type[QWidget], name: str) -> Any:
        return self.window.findChildren(kind, name)[0]

    def press(self, name: str) -> None:
        self.bot.mouseClick(self.part(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def keys(self, name: str, text: str) -> None:
        """Type this, in place of what a drop-down list holds; Return for a new line."""
        widget = self._focused(name)
        if isinstance(self.part(QWidget, name), QComboBox):
            self.bot.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        for number, line in enumerate(text.split("\n")):
            if number:
                self.bot.keyClick(widget, Qt.Key.Key_Return)
            self.bot.keyClicks(widget, line)

    def key(
        self, name: str, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self.bot.keyClick(self._focused(name), key, modifier)

    def wipe(self, name: str) -> None:
        self.key(name, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.key(name, Qt.Key.Key_Delete)

    def error(self, name: str) -> str:
        labels = self.window.findChildren(Label, f"error:{name}")
        return labels[0].accessibleName() if labels and labels[0].isVisible() else ""

    def has_focus(self, name: str) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.part(QWidget, f"input:{name}").isAncestorOf(focused)

    def sent(self) -> Any:
        """The content of the one Answer there is."""
        assert [answer.action for answer in self.answers] == [Action.ACCEPT]
        return json.loads(self.answers[0].content)

    def _focused(self, name: str) -> QWidget:
        widget: QWidget = self.part(QWidget, name)
        widget.setFocus()
        return widget
