"""What the card in the corner shows of each kind of question, and what it lets answer with one press."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Action, Flood, HeldBack, Question, Status
from desktop.questions.popup_card import PopupCard, PopupCardContent
from desktop.questions.presenter import QuestionPresenter
from desktop.widgets.labels import Label
from desktop.widgets.text.bidi import strip_isolates
from tests.desktop import samples


@pytest.fixture
def card(qtbot: QtBot) -> PopupCard:
    made = PopupCard()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def presenter(qtbot: QtBot) -> Iterator[QuestionPresenter]:
    made = QuestionPresenter()
    yield made
    made.close()


def show(card: PopupCard, question: Question) -> None:
    card.draw(PopupCardContent(question))


def words(card: PopupCard, name: str) -> str:
    return " ".join(strip_isolates(label.text()) for label in card.findChildren(Label, name))


def buttons(card: PopupCard) -> set[str]:
    return {button.objectName() for button in card.findChildren(QAbstractButton)}


def seen_card() -> PopupCard:
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, PopupCard) and w.isVisible())


def test_a_tool_without_annotations_that_deletes_by_its_name_is_not_allowed_from_the_card(card: PopupCard):
    show(card, samples.approval(tool="delete_files"))
    assert buttons(card) == {"deny", "later", "open"}
    assert words(card, "danger") == "This can delete or overwrite things."
    assert "delete or overwrite" in card.accessibleDescription()


def test_a_tool_that_only_reads_is_allowed_from_the_card(card: PopupCard):
    show(card, samples.approval(tool="read_notes", arguments=b'{"paths":["/home/ada/a/long/path","b"]}'))
    assert buttons(card) == {"allow", "deny", "later", "open"}
    assert words(card, "arguments") == "Paths: /home/ada/a/long/path · b"
    assert words(card, "who") == "Zed · approval"


def test_the_card_tells_the_site_that_a_link_leads_to(card: PopupCard):
    show(card, samples.link("https://accounts.google.com.evil.example/x"))
    assert words(card, "messageRest") == "Wants to open evil.example"


def test_the_card_marks_a_server_that_asks_for_the_first_time(card: PopupCard):
    show(card, samples.form({}))
    assert not card.findChildren(QWidget, "first")
    show(card, samples.form({}, id="q2", first=True))
    assert card.findChildren(QWidget, "first")


def test_the_card_says_that_the_person_may_answer_in_place_of_a_model(card: PopupCard):
    show(card, samples.form({}, message="System:\nBe brief.\nmaxTokens 300", review=samples.review()))
    assert words(card, "message") == "github wants to ask a model. You can answer instead."
    assert words(card, "messageRest") == ""


def test_a_flood_is_on_the_card_which_mutes_the_server_or_lets_it_ask(
    presenter: QuestionPresenter, qtbot: QtBot
):
    asked = samples.form({}, id="q1")
    presenter.draw(Status(waiting=(asked,)))  # makes the card
    presenter.draw(Status(waiting=(asked,), floods=(Flood("github", 12),)))
    here = seen_card()
    assert here.accessibleDescription() == "Please fill this in. github is asking a lot (12 waiting)."
    with qtbot.waitSignal(presenter.mute_wanted) as muted:
        here.findChildren(QAbstractButton, "mute")[0].click()
    with qtbot.waitSignal(presenter.ask_anyway_wanted) as spared:
        here.findChildren(QAbstractButton, "spare")[0].click()
    assert (muted.args, spared.args) == (["github", 3600.0], ["github"])


def test_no_flood_is_told_while_the_person_snoozes(presenter: QuestionPresenter):
    presenter.draw(Status(waiting=(samples.form({}),)))
    here = seen_card()
    presenter.draw(Status(waiting=(samples.form({}),), floods=(Flood("github", 12),), snoozed=True))
    assert not here.isVisible()


def test_a_card_that_shows_something_taller_stays_on_the_screen(card: PopupCard, qtbot: QtBot):
    card.draw(PopupCardContent(undo=HeldBack(samples.form({}), Action.DECLINE, 0.0)))
    card.draw(PopupCardContent(missed=(samples.form({}),)))
    placed = card.geometry()
    QApplication.processEvents()
    assert card.geometry() == placed  # what Qt shows in the next turn has its room already
    assert card.screen().availableGeometry().contains(placed)
    assert card.height() >= card.minimumSizeHint().height()


def test_an_app_that_asks_by_itself_is_named_in_what_was_missed_and_what_is_undone(card: PopupCard):
    asked = samples.form({}, server="desk", wants_reason=True)
    card.draw(PopupCardContent(missed=(asked,)))
    assert words(card, "missedTitle") == "You missed a question from Claude Desktop"
    card.draw(PopupCardContent(undo=HeldBack(asked, Action.DECLINE, 0.0)))
    assert words(card, "undoWords") == "You didn't answer Claude Desktop."
