"""Before a request goes to a model, the person sees it; nothing is sent by accident."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Action, Answer, accept
from desktop.questions.sampling import SamplingWindow
from desktop.widgets.labels import Label
from tests.desktop import samples


@pytest.fixture
def answers() -> list[Answer]:
    return []


@pytest.fixture
def window(qtbot: QtBot, answers: list[Answer]) -> SamplingWindow:
    made = SamplingWindow(samples.sampling())
    made.answered.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(made)
    made.fit()
    made.show()
    return made


def test_it_says_who_asks_which_model_and_shows_all_that_would_be_sent(window: SamplingWindow) -> None:
    request = window.findChildren(Label, "request")[0].accessibleName()
    assert request == "github wants an answer of your model local."
    shown = window.findChildren(QPlainTextEdit, "review")[0].toPlainText()
    assert "Be brief." in shown
    assert "Summarise the last ten commits." in shown


@pytest.mark.parametrize(
    ("button", "answer"),
    [("send", accept()), ("always", Answer(Action.ACCEPT, always=True)), ("refuse", DECLINE)],
)
def test_each_button_answers(
    window: SamplingWindow, answers: list[Answer], button: str, answer: Answer, qtbot: QtBot
) -> None:
    found = window.findChildren(QAbstractButton, button)[0]
    qtbot.waitUntil(found.isEnabled)
    found.click()
    assert answers == [answer]


def test_escape_cancels(window: SamplingWindow, answers: list[Answer], qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert answers == [CANCEL]
