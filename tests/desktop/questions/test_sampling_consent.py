"""A server wants an answer of a model: a person sees the request, changes, sends or refuses it."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QListWidget, QPlainTextEdit, QSpinBox
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Action, Answer, Question, ReviewFile, ReviewMessage, accept
from desktop.questions.base_window import QuestionWindow
from desktop.questions.presenter import QuestionPresenter
from desktop.questions.sampling_consent import SamplingWindow
from desktop.questions.window_kinds import WINDOWS
from desktop.widgets.labels import Label
from tests.desktop import samples


@pytest.fixture
def answers() -> list[Answer]:
    return []


def shown(qtbot: QtBot, question: Question, answers: list[Answer]) -> QuestionWindow:
    made = WINDOWS[question.mode](question)
    made.answered.connect(lambda _, answer: answers.append(answer))
    made.refused.connect(lambda _, answer: answers.append(answer))
    qtbot.addWidget(made)
    made.fit()
    made.show()
    return made


@pytest.fixture
def window(qtbot: QtBot, answers: list[Answer]) -> QuestionWindow:
    return shown(qtbot, samples.sampling(), answers)


def press(window: QuestionWindow, qtbot: QtBot, name: str) -> None:
    found = window.findChildren(QAbstractButton, name)[0]
    qtbot.waitUntil(found.isEnabled)
    found.click()


def text(window: QuestionWindow, name: str) -> QPlainTextEdit:
    return window.findChildren(QPlainTextEdit, name)[0]


def words(window: QuestionWindow, name: str) -> str:
    return window.findChildren(Label, name)[0].accessibleName()


def test_the_sampling_window_says_who_asks_which_model_and_shows_all_that_would_be_sent(
    window: QuestionWindow,
) -> None:
    assert words(window, "request") == "github wants an answer from your model local."
    assert words(window, "aboutModel") == (
        "qwen3 · on this computer · about 48 tokens, at most 500 back · may cost 0.0031"
    )
    assert text(window, "system").toPlainText() == "Be brief."
    assert text(window, "text:0").toPlainText().startswith("Summarise the last ten commits.")
    assert text(window, "text:1").toPlainText() == '→ list_commits {"count":10}'
    assert words(window, "parameters") == "temperature 0.2 · it may call: list_commits"


def test_pictures_are_shown_and_what_is_none_is_named(qtbot: QtBot, answers: list[Answer]) -> None:
    files = (
        ReviewFile("image/png", samples.review().messages[0].files[0].data),
        ReviewFile("image/png", "no base64"),
        ReviewFile("audio/wav", "AAAA"),
    )
    seen = samples.review(messages=(ReviewMessage("user", "", files),))
    made = shown(qtbot, samples.sampling(review=seen), answers)
    assert made.findChildren(QLabel, "file:0:0")[0].pixmap().width() == 120
    assert words(made, "file:0:1") == "A picture (image/png) that cannot be shown."
    assert words(made, "file:0:2") == "audio/wav, 3 bytes"


def test_a_picture_too_large_to_decode_is_named(qtbot: QtBot, answers: list[Answer]) -> None:
    head = samples.png(1, 1).replace(b"\0\0\0\x01\0\0\0\x01\x08", b"\0\1\0\0\0\1\0\0\x08")
    file = ReviewFile("image/png", base64.b64encode(head).decode())
    made = shown(
        qtbot,
        samples.sampling(review=samples.review(messages=(ReviewMessage("user", "", (file,)),))),
        answers,
    )
    assert "cannot be shown" in words(made, "file:0:0")


def test_many_messages_are_all_readable(qtbot: QtBot, answers: list[Answer]) -> None:
    many = tuple(ReviewMessage("user", f"number {n}", editable=True) for n in range(60))
    made = shown(qtbot, samples.sampling(review=samples.review(messages=many)), answers)
    assert text(made, "text:39").toPlainText() == "number 39"
    assert "number 59" in text(made, "rest").toPlainText()


@pytest.mark.parametrize(
    ("button", "answer"),
    [("send", accept()), ("always", Answer(Action.ACCEPT, always=True)), ("refuse", DECLINE)],
)
def test_each_button_answers(
    window: QuestionWindow, answers: list[Answer], button: str, answer: Answer, qtbot: QtBot
) -> None:
    press(window, qtbot, button)
    assert answers == [answer]


def test_escape_cancels(window: QuestionWindow, answers: list[Answer], qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert answers == [CANCEL]


def test_what_is_edited_is_what_is_sent(window: QuestionWindow, answers: list[Answer], qtbot: QtBot) -> None:
    assert text(window, "text:0").isReadOnly()
    press(window, qtbot, "edit")
    text(window, "system").setPlainText("Be kind.")
    text(window, "text:0").setPlainText("Say hello.")
    window.findChildren(QSpinBox, "maxTokens")[0].setValue(50)
    assert text(window, "text:1").isReadOnly()
    assert window.typed() == "Be kind.\n\n50\n\nSay hello."
    press(window, qtbot, "send")
    assert json.loads(answers[0].content) == {
        "systemPrompt": "Be kind.",
        "maxTokens": 50,
        "texts": {"0": "Say hello."},
    }


def test_the_answer_is_shown_first_on_request(
    window: QuestionWindow, answers: list[Answer], qtbot: QtBot
) -> None:
    window.findChildren(QCheckBox, "checkAnswer")[0].click()
    press(window, qtbot, "send")
    assert answers == [Answer(Action.ACCEPT, check_answer=True)]


def test_a_request_that_cannot_be_changed_offers_no_change(qtbot: QtBot, answers: list[Answer]) -> None:
    seen = samples.review(editable=False, max_tokens=0, parameters=(("max_tokens", "9"),))
    made = shown(qtbot, samples.sampling(review=seen), answers)
    assert not made.findChildren(QAbstractButton, "edit")[0].isVisible()
    assert not made.findChildren(QCheckBox, "checkAnswer")[0].isVisible()
    assert made.findChildren(QSpinBox, "maxTokens") == []
    assert "about 48 tokens · may cost" in words(made, "aboutModel")
    press(made, qtbot, "send")
    assert answers == [accept()]


# --- several at once ----------------------------------------------------------------------------------------


@pytest.fixture
def presenter(qtbot: QtBot) -> QuestionPresenter:
    made = QuestionPresenter()
    one = samples.sampling()
    made.draw(samples.waiting(one, samples.sampling(id="s2", server="files"), samples.link("https://x.org")))
    made.next()
    qtbot.waitUntil(lambda: "s1" in made._windows and made._windows["s1"].isVisible())
    return made


def visible(presenter: QuestionPresenter) -> list[str]:
    return [name for name, window in presenter._windows.items() if window.isVisible()]


def test_requests_that_wait_together_are_a_list_and_one_window_is_shown(
    presenter: QuestionPresenter, qtbot: QtBot
) -> None:
    first = presenter._windows["s1"]
    waiting = first.findChildren(QListWidget, "waitingRequests")[0]
    assert [waiting.item(row).text()[:6] for row in range(waiting.count())] == ["github", "files "]
    at = first.pos()
    waiting.setFocus()
    waiting.setCurrentRow(1)
    qtbot.waitUntil(lambda: visible(presenter) == ["s2"])
    assert presenter._windows["s2"].pos() == at
    presenter.close()


def test_after_an_answer_the_next_request_comes_to_the_same_place(
    presenter: QuestionPresenter, qtbot: QtBot
) -> None:
    first = presenter._windows["s1"]
    first.move(40, 30)
    at = first.pos()
    press(first, qtbot, "send")
    presenter.next()
    qtbot.waitUntil(lambda: visible(presenter) == ["s2"])
    second = presenter._windows["s2"]
    assert second.pos() == at
    assert not second.findChildren(QListWidget, "waitingRequests")[0].isVisible()
    presenter.close()


def test_all_of_them_are_refused_at_once(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    refused: list[str] = []
    presenter.refused.connect(
        lambda question, answer: refused.append(question) if answer == DECLINE else None
    )
    press(presenter._windows["s1"], qtbot, "refuseAll")
    assert sorted(refused) == ["s1", "s2"]
    presenter.close()


# --- the answer ---------------------------------------------------------------------------------------------


def answered(
    qtbot: QtBot, answers: list[Answer], kind: str, answer: str, schema: bytes = b""
) -> QuestionWindow:
    seen = samples.review(answer_kind=kind, answer=answer)
    return shown(qtbot, samples.sampling(review=seen, schema=schema), answers)


def test_an_answer_is_returned_as_it_is_or_changed(qtbot: QtBot, answers: list[Answer]) -> None:
    made = answered(qtbot, answers, "text", "Two commits.")
    assert not isinstance(made, SamplingWindow)
    assert words(made, "request") == "Your model local answered github. You can change the answer."
    press(made, qtbot, "showRequest")
    assert text(made, "text:0").isReadOnly()
    press(made, qtbot, "return")
    other = answered(qtbot, answers, "text", "Two commits.")
    text(other, "answer").setPlainText("Three.")
    press(other, qtbot, "return")
    assert answers == [accept(), accept({"answer": "Three."})]


def test_an_answer_is_kept_back(qtbot: QtBot, answers: list[Answer]) -> None:
    press(answered(qtbot, answers, "text", "Two commits."), qtbot, "refuse")
    assert answers == [DECLINE]


_SCHEMA = b'{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'


@pytest.mark.parametrize(
    ("kind", "typed", "problem"),
    [("data", '{"n": "x"}', "n"), ("data", "{", ""), ("calls", "{}", "list"), ("calls", "[", "list")],
)
def test_data_that_does_not_fit_is_not_returned(
    qtbot: QtBot, answers: list[Answer], kind: str, typed: str, problem: str
) -> None:
    made = answered(qtbot, answers, kind, '{"n": 1}', _SCHEMA)
    text(made, "answer").setPlainText(typed)
    press(made, qtbot, "return")
    assert answers == []
    assert words(made, "error")
    assert problem in words(made, "error")


def test_the_person_answers_in_place_of_a_model_by_the_form_that_is_wanted(
    qtbot: QtBot, answers: list[Answer]
) -> None:
    seen = samples.review(model="", cost=0.0)
    made = shown(qtbot, samples.form({"city": {"type": "string"}}, "city", review=seen), answers)
    assert words(made, "request") == "github wants to ask a model. You can answer instead."
    assert text(made, "text:0").toPlainText().startswith("Summarise")
    text(made, "field:city").setPlainText("Rome")
    press(made, qtbot, "send")
    assert answers == [accept({"city": "Rome"})]
