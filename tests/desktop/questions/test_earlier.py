"""Earlier answers to the same question, and an unsent draft, are offered; a press sends nothing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bridge.api import AnswerDraft, History, Question, parse_form, schema
from bridge.journal import Journal, JournalEntry
from desktop.questions.form import FormWindow
from desktop.widgets.inputs.factory import make_input
from desktop.widgets.scroll import FittingScroll
from tests.desktop import samples

FIELDS: dict[str, Any] = {
    "name": {"type": "string", "title": "Name", "maxLength": 60},
    "count": {"type": "integer", "title": "How many"},
    "password": {"type": "string", "title": "Password"},
}
ASKED = samples.form(FIELDS, "name", tool="deploy", server="release")


@pytest.fixture
def history(tmp_path: Path) -> History:
    journal = Journal(tmp_path / "journal.db")
    for at, name in enumerate(("Ada", "Grace", "Ada"), 1):
        sent = {"name": name, "count": 3, "password": "•••"}
        journal.record(entry(sent, at))
    journal.record(entry({"other": "form"}, 9))
    journal.record(entry({"name": "of another server"}, 10, server="mail"))
    journal.close()
    return History(tmp_path / "journal.db")


def entry(sent: dict[str, Any], at: float, server: str = "release") -> JournalEntry:
    detail = {"mode": "form", "sent": sent}
    return JournalEntry("question", "Cursor", server, "deploy", "accept", detail=detail, at=time.time() + at)


def opened(qtbot: QtBot, question: Question, history: History, *drafts: AnswerDraft) -> FormWindow:
    window = FormWindow(question)
    qtbot.addWidget(window)
    window.show()
    window.offer_earlier(history, drafts)
    return window


def offered(window: FormWindow) -> list[str]:
    buttons = window.findChildren(QPushButton)
    return [one.text() for one in buttons if one.objectName().startswith("earlier:")]


def test_different_answers_are_offered_newest_first_and_fill_the_form_without_secrets(
    history: History, qtbot: QtBot
) -> None:
    window = opened(qtbot, ASKED, history)
    qtbot.waitUntil(lambda: len(offered(window)) == 2)
    assert [text.split(" · ")[0].strip("\u2068\u2069") for text in offered(window)] == ["Ada, 3", "Grace, 3"]
    window.findChildren(QPushButton, "earlier:1")[0].click()
    assert window.entered_so_far() == {"name": "Grace", "count": "3"}
    assert not window.over


def test_the_window_grows_with_what_is_offered(history: History, qtbot: QtBot) -> None:
    window = opened(qtbot, ASKED, history)
    qtbot.waitUntil(lambda: len(offered(window)) == 2)
    scroll = window.findChildren(FittingScroll)[0]
    qtbot.waitUntil(lambda: not scroll.verticalScrollBar().isVisible())


def test_an_unsent_draft_is_offered_first(history: History, qtbot: QtBot) -> None:
    draft = AnswerDraft("q0", "release", "deploy", entered={"name": "Al"}, at=7.0)
    window = opened(qtbot, ASKED, history, draft)
    qtbot.waitUntil(lambda: len(offered(window)) == 3)
    assert offered(window)[0].startswith("Unsent draft · ")
    window.findChildren(QPushButton, "earlier:draft")[0].click()
    assert window.entered_so_far() == {"name": "Al"}


def test_a_question_of_one_press_says_what_it_was_last_time(tmp_path: Path, qtbot: QtBot) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.record(entry({"where": "staging"}, 5))
    journal.close()
    places = {"where": {"type": "string", "enum": ["staging", "production"]}}
    question = samples.form(places, "where", tool="deploy", server="release")
    window = opened(qtbot, question, History(tmp_path / "journal.db"))
    qtbot.waitUntil(lambda: bool(window.findChildren(QLabel, "lastTime")))
    assert "staging" in window.findChildren(QLabel, "lastTime")[0].text()


def test_without_earlier_answers_nothing_is_offered(tmp_path: Path, qtbot: QtBot) -> None:
    window = opened(qtbot, ASKED, History(tmp_path / "none.db"))
    assert offered(window) == []


ENTRIES: dict[str, schema.Entered] = {
    "name": "Ada",
    "email": "ada@example.org",
    "due": "2026-11-20",
    "count": "7",
    "weight": "2.5",
    "urgent": False,
    "colour": 2,
    "country": 5,
}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_input_shows_what_is_entered_for_the_person(name: str, qtbot: QtBot) -> None:
    form = parse_form(samples.form(samples.EVERY_KIND).schema)
    made = make_input(next(field for field in form.fields if field.name == name))
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.changed):
        made.enter(ENTRIES[name])
    assert made.entered() == ENTRIES[name]


@pytest.mark.parametrize(
    ("field", "entered"),
    [
        ({"type": "string", "format": "date-time"}, "2026-11-20T09:30:00+01:00"),
        ({"type": "integer", "title": "Rating", "minimum": 1, "maximum": 5}, "4"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}}, (0, 2)),
        ({"type": "array", "items": {"enum": [f"o{n}" for n in range(30)]}}, (0, 29)),
        ({"type": "array", "items": {"type": "string"}}, ("one", "two")),
        ({"type": "object"}, '{"a": 1}'),
    ],
)
def test_rare_inputs_do_so_too(field: dict[str, Any], entered: schema.Entered, qtbot: QtBot) -> None:
    form = parse_form(samples.form({"it": field}).schema)
    made = make_input(form.fields[0])
    qtbot.addWidget(made)
    made.enter(entered)
    assert made.entered() == entered
