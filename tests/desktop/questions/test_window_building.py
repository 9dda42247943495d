"""A question's window is built a little at a time: nobody sees it before it is whole, nothing holds it up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QEventLoop
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Draft, Proposal, Question, ServerForm, ServersStatus, ServerTool, Status, interruption
from desktop.pages.servers.add_dialog import ImportDialog
from desktop.pages.servers.try_tool import TryWindow
from desktop.questions.base_window import QuestionWindow
from desktop.questions.fields import FieldRow
from desktop.questions.presenter import QuestionPresenter
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

FIRST, SECOND = (replace(samples.every_kind(), id=name, server=name) for name in ("first", "second"))
MANY = samples.form({f"f{number}": {"type": "string", "maxLength": 9} for number in range(200)}, id="many")

pytestmark = pytest.mark.usefixtures("slowly")


@pytest.fixture
def presenter(qtbot: QtBot) -> Iterator[QuestionPresenter]:
    made = QuestionPresenter()
    yield made
    made.close()


def ask(presenter: QuestionPresenter, *questions: Question) -> None:
    presenter.draw(Status(waiting=questions))


def windows() -> list[QuestionWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QuestionWindow) and w.isVisible()]


def shown() -> list[str]:
    return [window.question.id for window in windows()]


def turn() -> None:
    """One turn of Qt's loop, and no more."""
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)


def test_a_window_is_whole_when_it_is_first_seen(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    ask(presenter, FIRST)
    presenter.next()
    assert shown() == []
    qtbot.waitUntil(lambda: shown() == ["first"])
    window = windows()[0]
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # a row just added takes its place
    built = window.findChildren(FieldRow)
    assert len(built) == len(samples.EVERY_KIND) or built[-1].visibleRegion().isEmpty()
    assert window.findChildren(QWidget, "send")
    size = window.size()
    turn()
    assert window.size() == size


def test_a_question_taken_back_meanwhile_is_never_seen(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    ask(presenter, FIRST, SECOND)
    turn()
    ask(presenter, SECOND)
    qtbot.waitUntil(lambda: shown() == ["second"])


def test_another_one_that_is_opened_meanwhile_comes_instead(
    presenter: QuestionPresenter, qtbot: QtBot
) -> None:
    ask(presenter, FIRST, SECOND)
    turn()
    presenter.open("second")
    qtbot.waitUntil(lambda: shown() == ["second"])
    presenter.open("first")
    qtbot.waitUntil(lambda: shown() == ["first"])


def test_who_asks_for_it_meanwhile_gets_it_with_the_keyboard(
    presenter: QuestionPresenter, qtbot: QtBot
) -> None:
    ask(presenter, FIRST)
    presenter.next()
    ask(presenter, FIRST, SECOND)
    qtbot.waitUntil(lambda: bool(windows()) and windows()[0].isActiveWindow())
    assert shown() == ["first"]


def test_silence_that_begins_meanwhile_is_kept(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    ask(presenter, FIRST)
    presenter.hold()
    made = [window for window in QApplication.topLevelWidgets() if isinstance(window, QuestionWindow)]
    qtbot.waitUntil(lambda: not made[0].building.running)
    assert shown() == []
    presenter.apply_alert(interruption.Alert(window=True))
    qtbot.waitUntil(lambda: shown() == ["first"])


def test_a_clock_that_moved_meanwhile_is_told(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    ask(presenter, replace(FIRST, deadline=1e10))
    turn()
    ask(presenter, replace(FIRST, deadline=0.0))
    qtbot.waitUntil(lambda: shown() == ["first"])
    assert not windows()[0].findChildren(QLabel, "countdown")[0].isVisible()


def test_what_is_typed_stays_while_more_fields_come(presenter: QuestionPresenter, qtbot: QtBot) -> None:
    ask(presenter, MANY)
    presenter.next()
    qtbot.waitUntil(lambda: bool(windows()) and windows()[0].isActiveWindow())
    window = windows()[0]
    line = window.findChildren(QLineEdit, "field:f0")[0]
    assert len(window.findChildren(FieldRow)) < 200
    qtbot.keyClicks(line, "half")
    size = window.size()
    qtbot.waitUntil(lambda: len(window.findChildren(FieldRow)) == 200)
    assert line.text() == "half"
    assert line.hasFocus()
    assert window.size() == size
    assert window.typed() == "f0: half"


def test_a_tool_is_tried_in_a_window_that_is_built_the_same_way(qtbot: QtBot, calls: ServiceCalls) -> None:
    window = TryWindow(calls.services, "server", ServerTool("run", "server_run", schema=MANY.schema))
    qtbot.addWidget(window)
    assert window.building.running
    window.building.when_done(window.show)
    qtbot.waitUntil(window.isVisible)
    assert window.findChildren(QLineEdit, "field:f0")[0] is window.focusWidget()
    qtbot.waitUntil(lambda: len(window.findChildren(FieldRow)) == 200)
    last = window.findChildren(QLineEdit, "field:f199")[0]
    assert last.nextInFocusChain() is not None
    assert stops_after(last)[:2] == ["run", "close"]


def stops_after(widget: QWidget) -> list[str]:
    names, at = [], widget.nextInFocusChain()
    while at is not None and at is not widget:
        if at.isVisible() and at.focusPolicy():
            names.append(at.objectName())
        at = at.nextInFocusChain()
    return names


def test_a_tool_beyond_forms_is_tried_with_json(qtbot: QtBot, calls: ServiceCalls) -> None:
    beyond = b'{"type": "object", "properties": {"x": {"$ref": "https://example.org"}}, "about": "%s"}'
    window = TryWindow(
        calls.services, "server", ServerTool("run", "server_run", schema=beyond % (b"long " * 2000))
    )
    qtbot.addWidget(window)
    window.building.when_done(window.show)
    qtbot.waitUntil(window.isVisible)
    assert window.findChildren(QPlainTextEdit, "field:arguments")


def test_servers_to_import_can_be_added_once_they_are_all_seen(qtbot: QtBot, calls: ServiceCalls) -> None:
    plans = [ServerForm(f"found{number}", "npx found") for number in range(9)]
    found = Draft(1, tuple(Proposal(number, plan.name, plan) for number, plan in enumerate(plans)))
    dialog = ImportDialog(calls.services)
    qtbot.addWidget(dialog)
    dialog.begin(ServersStatus())
    dialog.draw(ServersStatus(draft=found))
    dialog.show()
    add = dialog.findChildren(QPushButton, "add")[0]
    assert not add.isEnabled()
    qtbot.waitUntil(add.isEnabled)
    assert add.text() == "&Add 9"
    with calls.expected("servers.add") as wanted:
        add.click()
    assert [choice.name for choice in wanted.args[0]] == [plan.name for plan in plans]
    assert stops_after(dialog.findChildren(QLineEdit, "name:8")[0])[0] == "add"
