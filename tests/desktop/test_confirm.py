"""An approval says who wants what, and nothing is allowed by accident."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Action, Answer, accept
from desktop.questions.confirm import ConfirmWindow
from desktop.widgets.labels import Label
from tests.desktop import samples


@pytest.fixture
def answers() -> list[Answer]:
    return []


@pytest.fixture
def window(qtbot: QtBot, answers: list[Answer]) -> ConfirmWindow:
    made = ConfirmWindow(samples.approval())
    made.answered.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(made)
    made.fit()
    made.show()
    return made


def test_it_says_which_app_wants_which_tool_of_which_server_with_what(window: ConfirmWindow) -> None:
    assert window.findChildren(Label, "server")[0].text() == "github"
    request = window.findChildren(Label, "request")[0].accessibleName()
    assert request == "Zed wants to use the tool delete_repository."
    assert '"repo": "engine"' in window.findChildren(QPlainTextEdit, "arguments")[0].toPlainText()


def test_it_says_so_once_and_does_not_pass_for_a_question_of_the_server(qtbot: QtBot) -> None:
    window = ConfirmWindow(samples.approval(message="delete_repository is about to be called."))
    qtbot.addWidget(window)
    window.show()
    assert not window.message.isVisible()
    assert window.windowTitle() == "Question from github"
    assert window.accessibleDescription() == "Zed wants to use the tool delete_repository."


@pytest.mark.parametrize(
    ("button", "words", "answer"),
    [
        ("allow", "Allow", accept()),
        ("always", "Allow always", Answer(Action.ACCEPT, always=True)),
        ("deny", "Deny", DECLINE),
    ],
)
def test_each_button_gives_its_answer(
    qtbot: QtBot, window: ConfirmWindow, answers: list[Answer], button: str, words: str, answer: Answer
) -> None:
    pressed = window.findChildren(QAbstractButton, button)[0]
    assert pressed.text().replace("&", "") == words
    qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
    assert answers == [answer]


def test_escape_is_cancel_and_not_deny(qtbot: QtBot, window: ConfirmWindow, answers: list[Answer]) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert answers == [CANCEL]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_key_that_was_meant_for_another_window_allows_nothing(
    qtbot: QtBot, window: ConfirmWindow, answers: list[Answer], key: Qt.Key
) -> None:
    qtbot.keyClick(window, key)
    assert all(answer.action is not Action.ACCEPT for answer in answers)
    window.close()
