"""An approval says who wants what, and nothing is allowed by accident."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QWidget
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
    made.refused.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(made)
    made.fit()
    made.show()
    return made


def test_the_approval_window_says_which_app_wants_which_tool_of_which_server_with_what(
    window: ConfirmWindow,
) -> None:
    request = window.findChildren(Label, "request")[0].accessibleName()
    assert request == "Zed wants to use “Delete repository” of github"
    told = [one.text() for one in window.findChildren(QWidget, "arguments")[0].findChildren(Label)]
    assert told[2:4] == ["Repo", "engine"]


def test_the_tool_is_called_by_its_own_title_and_described_in_its_own_words(qtbot: QtBot) -> None:
    question = samples.approval(tool_title="Delete a repo", tool_about="Deletes it for good.")
    window = ConfirmWindow(question)
    qtbot.addWidget(window)
    assert "“Delete a repo”" in window.findChildren(Label, "request")[0].accessibleName()
    assert window.findChildren(Label, "about")[0].accessibleName() == "Deletes it for good."


def test_danger_has_a_bar_of_its_own_and_no_filled_button(qtbot: QtBot) -> None:
    cases = ((("destructive",), True), (("!destructive",), False), (("readOnly",), False), ((), True))
    for hints, dangerous in cases:  # without annotations the name decides: delete_repository
        window = ConfirmWindow(samples.approval(hints=hints))
        qtbot.addWidget(window)
        assert bool(window.findChildren(QWidget, "danger")) is dangerous
        kind = window.findChildren(QAbstractButton, "allow")[0].property("kind")
        assert (kind == "danger") is dangerous


def test_the_approval_window_says_what_always_would_be_for(qtbot: QtBot) -> None:
    for scope, words in (("", "for every app"), ("Zed", "for Zed")):
        window = ConfirmWindow(samples.approval(scope=scope))
        qtbot.addWidget(window)
        told = window.findChildren(QAbstractButton, "always")[0].accessibleDescription()
        assert told == f"Always allow “Delete repository” {words}"
        assert bool(window.findChildren(QAction, "allowAll")) is not bool(scope)


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("allowHour", Answer(Action.ACCEPT, seconds=3600.0)),
        ("allowApp", Answer(Action.ACCEPT, always=True, this_host=True)),
        ("allowAll", Answer(Action.ACCEPT, always=True)),
    ],
)
def test_a_call_can_be_allowed_for_an_hour_for_this_app_or_for_all(
    window: ConfirmWindow, answers: list[Answer], action: str, answer: Answer
) -> None:
    window.findChildren(QAction, action)[0].trigger()
    assert answers == [answer]


def test_the_model_is_told_why_it_is_not_allowed(qtbot: QtBot, answers: list[Answer]) -> None:
    window = ConfirmWindow(samples.approval(wants_reason=True))
    window.refused.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(window)
    window.show()
    reason = window.findChildren(QLineEdit, "reason")[0]
    reason.setText("Not on a Friday.")
    qtbot.mouseClick(window.findChildren(QAbstractButton, "refuse")[0], Qt.MouseButton.LeftButton)
    assert answers == [Answer(Action.DECLINE, reason="Not on a Friday.")]


def test_the_approval_window_shows_what_the_server_says_of_the_tool_and_how_it_changed(qtbot: QtBot) -> None:
    window = ConfirmWindow(samples.approval(hints=("readOnly", "!openWorld"), change=samples.CHANGE))
    qtbot.addWidget(window)
    window.show()
    said = window.findChildren(Label, "hints")[0].accessibleName()
    assert said == "Read only: it changes nothing, says github."
    change = window.findChildren(QPlainTextEdit, "change")[0].toPlainText()
    assert "- Deletes a repository.\n+ Deletes a repos⟨U+200B⟩itory." in change
    assert "as it is now" in window.findChildren(QAction, "allowAll")[0].text()


def test_arguments_of_any_length_can_be_read_to_the_end(qtbot: QtBot) -> None:
    long = json.dumps({"text": "a" * 120_000, "last": "the end\u202e"}, ensure_ascii=False).encode()
    window = ConfirmWindow(samples.approval(arguments=long))
    qtbot.addWidget(window)
    window.show()
    text = window.findChildren(QPlainTextEdit, "rawData")[0]
    where = window.findChildren(Label, "part")[0]
    assert where.accessibleName().startswith("Part 1 of 3; 120")
    for _ in range(2):
        qtbot.mouseClick(window.findChildren(QAbstractButton, "partAfter")[0], Qt.MouseButton.LeftButton)
    assert text.toPlainText().endswith('the end\ufffd"}')
    assert not window.findChildren(QAbstractButton, "partAfter")[0].isEnabled()
    qtbot.mouseClick(window.findChildren(QAbstractButton, "partBefore")[0], Qt.MouseButton.LeftButton)
    assert where.accessibleName().startswith("Part 2 of 3")


def test_the_approval_window_says_so_once_and_does_not_pass_for_a_question_of_the_server(
    qtbot: QtBot,
) -> None:
    window = ConfirmWindow(samples.approval(message="delete_repository is about to be called."))
    qtbot.addWidget(window)
    window.show()
    assert not window.message.isVisible()
    assert window.windowTitle() == "Question from github"
    assert window.accessibleDescription() == "Zed wants to use “Delete repository” of github"


@pytest.mark.parametrize(
    ("button", "words", "answer"),
    [
        ("allow", "Allow", accept()),
        ("always", "Allow always", Answer(Action.ACCEPT, always=True)),
        ("refuse", "Deny", DECLINE),
    ],
)
def test_each_button_gives_its_answer(
    qtbot: QtBot, window: ConfirmWindow, answers: list[Answer], button: str, words: str, answer: Answer
) -> None:
    pressed = window.findChildren(QAbstractButton, button)[0]
    assert (pressed.accessibleName() or pressed.text().replace("&", "")) == words
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
